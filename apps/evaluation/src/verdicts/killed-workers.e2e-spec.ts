import { setTimeout as sleep } from 'node:timers/promises';

import { roundsOf, until, untilReached } from '@hone/testing';

import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { KilledStack } from '../testing/killed-stack.fixture.js';

/** The long form has 40 kills amid 4,000 calls. */
const KILLS = roundsOf(40, 'HONE_VERDICT_KILLS', 4);
const CALLS = 100 * KILLS;
const SETTLED_MS = 60_000;
const KILL_MS = 40_000;
/** Settled before a cancel: less than any run has calls. */
const SOME_VERDICTS = 100;
/** A gateway delivers what a killed one had journalled when it adopts the journal, for which it looks each half a minute. */
const COSTS_MS = 120_000;
/** Requests under way when a gateway was killed end, and are stored, within so long of each other. */
const QUIET_MS = 5_000;

const judge = (model: string, more: object) => ({
  kind: 'llm',
  llm: { model, messages: [{ role: 'user', content: 'Asked: {{messages}}\nAnswered: {{output}}' }], ...more },
});
const SCORERS = {
  short: { kind: 'check', check: { check: 'contains', value: 'even' } },
  helpful: judge('strict', { ratings: [{ name: 'helpful', min: 1, max: 5 }] }),
  polite: judge('cheap', { tags: [{ name: 'polite' }], ratings: [{ name: 'tone', min: -3, max: 3 }] }),
};
const MODELS = { strict: { prompt: 3, completion: 15 }, cheap: { prompt: 0.1, completion: 0.4 } };

describe(`scorings whose workers and gateway are killed ${KILLS} times`, () => {
  let stack: KilledStack;
  let project: JudgedProject;
  const countOf = (sql: string) => stack.countOf(sql);
  const settled = () => countOf('verdicts WHERE settled_at IS NOT NULL');
  beforeAll(async () => {
    stack = await KilledStack.start(MODELS);
    project = await JudgedProject.of({ ...stack.database, writer: stack.writer });
  });
  afterAll(() => stack.stop());

  it(
    'find one verdict of each call and scorer, store it once, and know what all of them cost',
    async () => {
      const calls = Array.from({ length: CALLS }, (_, n) => ({ output: `${n} is ${n % 2 === 0 ? 'even' : 'odd'}` }));
      const ids = await project.addCalls(...calls);
      for (const [name, definition] of Object.entries(SCORERS)) {
        await project.addScorer(name, definition);
        await stack.post('/evaluation/scorings', { project_id: PROJECT, scorer: name, limit: CALLS });
      }
      const all = CALLS * Object.keys(SCORERS).length;
      const expiring = new AbortController();
      const expired = stack.expireLeases('verdicts', expiring.signal);
      for (let round = 0; round < KILLS; round++) {
        // Checks take no time: kills are spread over the verdicts of the judges.
        const due = CALLS + ((all - CALLS) * (round + 0.5)) / (KILLS + 1);
        await untilReached(settled, due, 'verdicts', KILL_MS);
        await sleep(Math.random() * 100);
        if (round === KILLS - 1) {
          // What the last one leaves is found by the time alone.
          expiring.abort();
          await expired;
        }
        await stack.kill(round);
      }
      await until(async () => (await settled()) === all, 'the last verdict', SETTLED_MS);

      const states = await stack.database.sql(
        `SELECT scorer_id AS scorer, state, code, count(*)::int AS calls, count(DISTINCT call_id)::int AS ids FROM verdicts
         GROUP BY 1, 2, 3 ORDER BY 1`,
      );
      expect(states).toEqual(
        Object.keys(SCORERS)
          .sort()
          .map((scorer) => ({ scorer, state: 'done', code: null, calls: CALLS, ids: CALLS })),
      );
      const feedback = await project.feedback();
      const key = (call: string, type: string) => `${call} ${type}`;
      expect(feedback.map(({ call, type }) => key(call, type)).sort()).toEqual(
        ids.flatMap((id) => Object.keys(SCORERS).map((name) => key(id, `hone.runnable.${name}`))).sort(),
      );
      await expectCosts();
      // The verdict is that of the worker that had the call last, whatever others found meanwhile.
      const judged = `verdicts v JOIN feedback f ON f.project_id = v.project_id AND f.id = v.feedback_id
        JOIN usage_records u ON u.project_id = v.project_id AND u.uid::text = split_part(f.call_ref, '/', 4)`;
      const last = `${judged} AND starts_with(u.rid, v.uid || '.' || v.attempt || '.')`;
      expect([await countOf(judged), await countOf(last)]).toEqual([2 * CALLS, 2 * CALLS]);
      expect(await countOf(`verdicts WHERE attempt > 1`)).toBeGreaterThan(0);
      await until(async () => (await countOf(`scorings WHERE status = 'done'`)) === 3, 'the end of all');
      await expectCostsOfCancelled();
      process.stdout.write(`${KILLS} kills, ${all} verdicts, ${await countOf('usage_records')} requests\n`);
    },
    4 * SETTLED_MS + 2 * COSTS_MS + KILLS * KILL_MS,
  );

  /** A scoring knows also what those of its verdicts cost that a cancel deletes: some wait, some are in flight, some were killed. */
  async function expectCostsOfCancelled(): Promise<void> {
    await project.addScorer('brief', judge('strict', { tags: [{ name: 'brief' }] }));
    const { id } = await stack.post('/evaluation/scorings', { project_id: PROJECT, scorer: 'brief', limit: CALLS });
    const own = `verdicts WHERE scoring_id = '${String(id)}'`;
    await untilReached(() => countOf(`${own} AND settled_at IS NOT NULL`), SOME_VERDICTS, 'verdicts', KILL_MS);
    await stack.kill(1);
    await stack.database.sql(
      `UPDATE verdicts SET lease_expires_at = now() - interval '1 second' WHERE scoring_id = $1 AND random() < 0.5`,
      [id],
    );
    await stack.post(`/evaluation/scorings/${String(id)}/cancel`, {}, 'cancelled');
    await until(
      async () => (await countOf(`${own} AND settled_at IS NULL`)) === 0,
      'the end of all verdicts',
      SETTLED_MS,
    );
    const sums = async () => [
      await stack.sumOf('cost_nano_usd', 'usage_records'),
      await stack.sumOf('cost_nano_usd', 'scorings'),
    ];
    await until(async () => new Set(await sums()).size === 1, 'the costs of all', COSTS_MS).catch(() => undefined);
    const [used, booked] = await sums();
    expect(booked).toBe(used);
    expect(await countOf(own)).toBeLessThan(CALLS);
  }

  /** Every request that a judge answered is booked to its verdict, by whichever process, and to its scoring. */
  async function expectCosts(): Promise<void> {
    const used = `SELECT sum(cost_nano_usd) FROM usage_records u WHERE u.project_id = v.project_id AND starts_with(u.rid, v.uid || '.')`;
    const wrong = `verdicts v WHERE v.cost_nano_usd <> coalesce((${used}), 0)`;
    // In one statement: a cost that is booked meanwhile is in all of them, or in none.
    const sums = async () => {
      const sumOf = (table: string) => `(SELECT coalesce(sum(cost_nano_usd), 0)::float8 FROM ${table})`;
      const [row] = await stack.database.sql<{ used: number; verdicts: number; scorings: number; wrong: number }>(
        `SELECT ${sumOf('usage_records')} AS used, ${sumOf('verdicts')} AS verdicts, ${sumOf('scorings')} AS scorings,
           (SELECT count(*)::int FROM ${wrong}) AS wrong`,
      );
      return row as { used: number; verdicts: number; scorings: number; wrong: number };
    };
    // Workers whose leases ran out may still wait for answers, and gateways have journals to store: all is booked once it
    // agrees and nothing has come for a while.
    let quiet = { used: -1, sinceMs: 0 };
    const isBooked = async () => {
      const { used, verdicts, scorings, wrong } = await sums();
      if (used !== quiet.used) quiet = { used, sinceMs: performance.now() };
      const agrees = used === verdicts && used === scorings && wrong === 0;
      return agrees && performance.now() - quiet.sinceMs >= QUIET_MS;
    };
    await until(isBooked, 'the costs of all verdicts', COSTS_MS).catch(() => undefined);
    const booked = await sums();
    expect(booked).toEqual({ used: booked.used, verdicts: booked.used, scorings: booked.used, wrong: 0 });
    expect(booked.used).toBeGreaterThan(0);
    // Nobody but the verdicts has asked.
    expect(await countOf(`usage_records WHERE substr(rid, 37, 1) <> '.'`)).toBe(0);
  }
});
