import { setTimeout as sleep } from 'node:timers/promises';

import type { JsonObject } from '@hone/contracts';
import { roundsOf, until, untilReached } from '@hone/testing';

import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { KilledStack } from '../testing/killed-stack.fixture.js';

/** The long form has ten kills. */
const KILLS = roundsOf(10, 'HONE_EVALUATION_KILLS', 3);
const ROWS = 20 * KILLS;
const TRIALS = 2;
const SCORERS = {
  content: { kind: 'check', check: { check: 'contains', value: 'Well' } },
  helpful: {
    kind: 'llm',
    llm: {
      model: 'judge',
      messages: [{ role: 'user', content: 'Asked: {{inputs.question}}\nAnswered: {{output}}' }],
      ratings: [{ name: 'helpful', min: 1, max: 5 }],
      tags: [{ name: 'polite' }],
    },
  },
};
const CANDIDATES = ['small', 'large'];
const MODELS = {
  small: { prompt: 0.1, completion: 0.4 },
  large: { prompt: 3, completion: 15 },
  judge: { prompt: 1, completion: 2 },
};
const ANSWERS = ROWS * TRIALS * CANDIDATES.length;
const CELLS = ANSWERS * (1 + Object.keys(SCORERS).length);
const KILL_MS = 40_000;
const SETTLED_MS = 60_000;

describe(`evaluations whose workers and gateway are killed ${KILLS} times`, () => {
  let stack: KilledStack;
  beforeAll(async () => {
    stack = await KilledStack.start(MODELS);
    const project = await JudgedProject.of({ ...stack.database, writer: stack.writer });
    const rows = Array.from({ length: ROWS }, (_, n) => ({ question: `What is ${n} and ${n % 7}?` }));
    await project.addDataset('sums', rows);
    for (const [name, definition] of Object.entries(SCORERS)) await project.addScorer(name, definition);
  });
  afterAll(() => stack.stop());

  const create = async (): Promise<string> => {
    const body = {
      ...{ project_id: PROJECT, dataset: 'sums', scorers: Object.keys(SCORERS), trials: TRIALS, seed: 11 },
      candidates: CANDIDATES.map((model) => ({ model, parameters: { temperature: 0.7 } })),
      concurrency: 16,
    };
    return (await stack.post('/evaluation/runs', body))['id'] as string;
  };
  const settled = (id: string) => stack.countOf(`evaluation_cells WHERE job_id = '${id}' AND settled_at IS NOT NULL`);
  const isDone = async (id: string) =>
    (await stack.countOf(`evaluation_jobs WHERE id = '${id}' AND status = 'done' AND finished_at IS NOT NULL`)) === 1;

  /** What the runs of a job found, by candidate, but for how long it took. */
  async function summariesOf(id: string): Promise<object[]> {
    const rows = await stack.database.sql<{ output: JsonObject }>(
      `SELECT v.output_text::json AS output FROM evaluation_jobs j
       CROSS JOIN LATERAL jsonb_array_elements(j.plan -> 'candidates') WITH ORDINALITY AS c (value, number)
       JOIN call_values v ON v.project_id = j.project_id AND v.id = c.value ->> 'runId'
       WHERE j.id = $1 ORDER BY c.number`,
      [id],
    );
    return rows.map(({ output: { model_latency: _latency, hone, ...found } }) => {
      const { latency_ms: _ms, ...counted } = hone as JsonObject;
      return { ...found, ...counted };
    });
  }

  it(
    'do each cell once, store it once, and find what an undisturbed one does',
    async () => {
      const undisturbed = await create();
      await until(() => isDone(undisturbed), 'the undisturbed evaluation', KILL_MS + SETTLED_MS);
      const id = await create();
      const expiring = new AbortController();
      const expired = stack.expireLeases(`evaluation_cells`, expiring.signal);
      for (let round = 0; round < KILLS; round++) {
        const due = (CELLS * (round + 0.5)) / (KILLS + 1);
        await untilReached(() => settled(id), due, 'cells', KILL_MS);
        await sleep(Math.random() * 100);
        if (round === KILLS - 1) {
          // What the last one leaves is found by the time alone.
          expiring.abort();
          await expired;
        }
        await stack.kill(round);
      }
      await until(() => isDone(id), 'the end of the evaluation', SETTLED_MS);

      const cells = await stack.database.sql(
        `SELECT candidate, scorer, state, count(*)::int AS cells, count(DISTINCT (row_digest, trial))::int AS different
         FROM evaluation_cells WHERE job_id = $1 GROUP BY 1, 2, 3 ORDER BY 1, 2`,
        [id],
      );
      const each = ROWS * TRIALS;
      expect(cells).toEqual(
        CANDIDATES.flatMap((_, candidate) =>
          [0, 1, 2].map((scorer) => ({ candidate, scorer, state: 'done', cells: each, different: each })),
        ),
      );
      await expectCalls(id);
      const [found, expected] = [await summariesOf(id), await summariesOf(undisturbed)];
      expect(found).toHaveLength(CANDIDATES.length);
      expect(found).toEqual(expected);
      expect(found[0]).toMatchObject({ answers: { done: each, failed: 0 }, scores: { done: 2 * each } });
      await expectCosts();
      expect(await stack.countOf(`evaluation_cells WHERE job_id = '${id}' AND attempt > 1`)).toBeGreaterThan(0);
      process.stdout.write(`${KILLS} kills, ${CELLS} cells, ${await stack.countOf('usage_records')} requests\n`);
    },
    3 * SETTLED_MS + KILLS * KILL_MS,
  );

  /** One call for each cell, where it belongs, and none beside. */
  async function expectCalls(id: string): Promise<void> {
    const calls = await stack.database.sql(
      `SELECT c.op_name AS op, count(*)::int AS calls, bool_and(c.ended_at IS NOT NULL AND c.exception IS NULL) AS "isDone",
         count(u.uid)::int AS cells, bool_and(c.parent_id = coalesce(u.answer_uid, r.id)) AS "isBelow"
       FROM calls c JOIN calls r ON r.project_id = c.project_id AND r.id = c.trace_id AND r.op_name = 'Evaluation.evaluate'
       JOIN evaluation_jobs j ON j.id = $1 AND j.plan -> 'candidates' @> jsonb_build_array(jsonb_build_object('runId', r.id))
       LEFT JOIN evaluation_cells u ON u.project_id = c.project_id AND u.uid = c.id AND u.job_id = j.id
       WHERE c.id <> r.id GROUP BY 1 ORDER BY 1`,
      [id],
    );
    const scores = CELLS - ANSWERS;
    const right = { isDone: true, isBelow: true };
    expect(calls).toEqual([
      { op: 'Model.predict', calls: ANSWERS, cells: ANSWERS, ...right },
      { op: 'Scorer.score', calls: scores, cells: scores, ...right },
    ]);
  }

  /** Every request that a model answered is booked to its cell, by whichever process, and to its job. */
  async function expectCosts(): Promise<void> {
    const used = `SELECT sum(cost_nano_usd) FROM usage_records u WHERE u.project_id = v.project_id AND starts_with(u.rid, v.uid || '.')`;
    const wrong = `evaluation_cells v WHERE v.cost_nano_usd <> coalesce((${used}), 0)`;
    const sumOf = (table: string) => stack.sumOf('cost_nano_usd', table);
    const isBooked = async () => {
      const spent = await sumOf('usage_records');
      const isSame = spent === (await sumOf('evaluation_cells')) && spent === (await sumOf('evaluation_jobs'));
      return isSame && (await stack.countOf(wrong)) === 0;
    };
    await until(isBooked, 'the costs of all cells');
    expect(await sumOf('usage_records')).toBeGreaterThan(0);
  }
});
