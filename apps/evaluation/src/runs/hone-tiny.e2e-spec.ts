import { type TestApp, until } from '@hone/testing';

import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { TinyGateway } from '../testing/tiny-gateway.fixture.js';
import { VerdictWorker } from '../verdicts/verdict-worker.js';
import { CellWorker } from './cell-worker.js';

const WORDS = ['cat', 'house', 'green', 'seven'];
const SCORERS = {
  exact: { kind: 'check', check: { check: 'exact', reference: 'inputs.word' } },
  helpful: {
    kind: 'llm',
    llm: {
      model: 'hone-tiny',
      messages: [{ role: 'user', content: 'Asked: {{inputs.word}}\nAnswered: {{output}}' }],
      ratings: [{ name: 'helpful', min: 1, max: 5 }],
      max_tokens: 64,
    },
  },
};

interface Found {
  readonly candidate: number;
  readonly row: string;
  readonly trial: number;
  readonly op: string;
  readonly output: unknown;
}

describe('an evaluation of hone-tiny, judged by itself', () => {
  let tiny: TinyGateway;
  let app: TestApp;
  let project: JudgedProject;
  beforeAll(async () => {
    tiny = await TinyGateway.start();
    ({ app } = tiny);
    project = await JudgedProject.of(app);
    await project.addDataset(
      'words',
      WORDS.map((word) => ({ word })),
    );
    for (const [name, definition] of Object.entries(SCORERS)) await project.addScorer(name, definition);
    const messages = [{ role: 'user', content: 'repeat: {{word}}' }];
    await project.addInstance('echo', 'Prompt', { messages, model: 'hone-tiny' });
  });
  afterAll(() => tiny.close());

  /** @returns what was answered and scored, in an order that is the same each time */
  async function evaluate(): Promise<Found[]> {
    const body = {
      ...{ project_id: PROJECT, dataset: 'words', scorers: Object.keys(SCORERS), trials: 2, seed: 5 },
      candidates: [
        { prompt: 'echo', name: 'cold', parameters: { temperature: 0, max_tokens: 16 } },
        { prompt: 'echo', name: 'warm', parameters: { temperature: 1.5, max_tokens: 16 } },
      ],
    };
    const client = app.as(app.writer);
    const { status, json } = await client.post('/evaluation/runs', body);
    expect([status, json()]).toMatchObject([200, { status: 'queued' }]);
    await app.app.get(CellWorker).run();
    const job = (await client.get(`/evaluation/runs/${json().id}`)).json();
    const done = { pending: 0, skipped: 0, failed: 0 };
    expect(job).toMatchObject({
      ...{ status: 'done', rows: WORDS.length, problems: [] },
      candidates: ['cold', 'warm'].map((name) => ({
        ...{ name, answers: { ...done, done: 2 * WORDS.length }, scores: { ...done, done: 4 * WORDS.length } },
      })),
    });
    return app.sql<Found>(
      `SELECT u.candidate, u.row_digest AS row, u.trial, c.op_name || u.scorer AS op, v.output_text::json AS output
       FROM evaluation_cells u JOIN calls c ON c.project_id = u.project_id AND c.id = u.uid
       JOIN call_values v ON v.project_id = c.project_id AND v.id = c.id WHERE u.job_id = $1
       ORDER BY u.candidate, u.row_number, u.trial, u.scorer`,
      [job.id],
    );
  }

  it('fills the prompt, is right where it is cold, and finds the same again', async () => {
    const found = await evaluate();
    expect(found).toHaveLength(2 * 2 * 3 * WORDS.length);
    const of = (candidate: number, op: string) => found.filter((one) => one.candidate === candidate && one.op === op);
    const cold = of(0, 'Model.predict0');
    // Two trials of each row, which a cold model answers the same way.
    const isRight = cold.map(({ output }, at) => output === WORDS[Math.floor(at / 2)]);
    expect(isRight.filter(Boolean).length).toBeGreaterThanOrEqual(WORDS.length);
    expect(cold.filter((_, at) => at % 2 === 0).map(({ output }) => output)).toEqual(
      cold.filter((_, at) => at % 2 === 1).map(({ output }) => output),
    );
    expect(of(0, 'Scorer.score1').map(({ output }) => output)).toEqual(isRight.map((passed) => ({ passed })));
    for (const { output } of [...of(0, 'Scorer.score2'), ...of(1, 'Scorer.score2')]) {
      expect(output).toEqual({ helpful: expect.any(Number), reason: expect.any(String) });
      expect([1, 2, 3, 4, 5]).toContain((output as { helpful: number }).helpful);
    }
    expect(await evaluate()).toEqual(found);
    const threads = await app.sql<{ calls: number }>(
      `SELECT count(*)::int AS calls FROM calls WHERE thread_id IS NOT NULL GROUP BY thread_id`,
    );
    // Both candidates, both trials of a row, in both evaluations.
    expect(threads).toEqual(Array.from({ length: 2 * WORDS.length }, () => ({ calls: 4 })));
  }, 180_000);

  it('is compared and checked by the tokens and the money that its answers took', async () => {
    await app.sql(
      `INSERT INTO costs (project_id, id, model, provider_id, prompt_token_cost, completion_token_cost, effective_date, created_at, created_by)
       VALUES ($1, 'own', 'hone-tiny', 'own', 0.001, 0.002, '2020-01-01', now(), $2)`,
      [project.rowId, app.writer.id],
    );
    await project.addScorer('cheap', { kind: 'check', check: { check: 'cost', max: 1 } });
    const client = app.as(app.writer);
    const { json } = await client.post('/evaluation/runs', {
      ...{ project_id: PROJECT, dataset: 'words', scorers: ['cheap'] },
      candidates: [4, 12].map((max_tokens) => ({
        ...{ prompt: 'echo', name: `at-most-${max_tokens}` },
        parameters: { temperature: 2, max_tokens, ignore_eos: true },
      })),
    });
    await app.app.get(CellWorker).run();
    const job = (await client.get(`/evaluation/runs/${json().id}`)).json();
    expect(job).toMatchObject({ status: 'done', problems: [] });
    const runs = job.candidates.map((one: { evaluation_run_id: string }) => one.evaluation_run_id);
    const metrics = ['tokens', 'cost_usd', 'scores.cheap.value'];
    const metricsOf = async () => {
      const { json: found } = await client.post('/evaluation/compare', { project_id: PROJECT, runs, metrics });
      const all = found().comparisons[0].metrics as { metric: string; pairs: number; baseline: { estimate: number } }[];
      return metrics.map((name) => all.find(({ metric }) => metric === name));
    };
    // Calls of the gateway are stored some time after their answers.
    await until(async () => (await metricsOf())[0]?.pairs === WORDS.length, 'the calls of the models');
    const [tokens, cost, checked] = await metricsOf();
    expect([tokens, cost]).toMatchObject([
      { metric: 'tokens', pairs: WORDS.length, difference: { estimate: 8 } },
      { metric: 'cost_usd', pairs: WORDS.length, difference: { estimate: expect.closeTo(8 * 0.002, 9) } },
    ]);
    // The gateway's own price is nothing, and that is what was booked.
    expect(checked?.baseline.estimate).toBe(0);
  }, 180_000);

  it('is no traffic that a scoring would judge', async () => {
    const client = app.as(app.writer);
    const { json } = await client.post('/evaluation/scorings', { project_id: PROJECT, scorer: 'exact' });
    await app.app.get(VerdictWorker).run();
    const counts = { pending: 0, done: 0, skipped: 0, failed: 0 };
    expect((await client.get(`/evaluation/scorings/${json().id}`)).json()).toMatchObject({ status: 'done', counts });
  }, 180_000);
});
