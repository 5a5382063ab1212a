import type { JsonObject } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { EvaluationRuns } from '../testing/evaluation-runs.fixture.js';
import { type AskedJudge, FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { CellWorker } from './cell-worker.js';

const RUNS = '/evaluation/runs';
const ROWS: JsonObject[] = ['hot', 'up', 'in', 'big'].map((word) => ({ question: `The opposite of ${word}?` }));
const BETTER = {
  kind: 'pairwise',
  pairwise: {
    model: 'judge',
    messages: [{ role: 'user', content: '{{inputs.question}}\n1: {{first}}\n2: {{second}}' }],
  },
};
/** What candidates answer: the longer answer wins. */
const ANSWERS: Record<string, (question: string) => string> = {
  short: () => 'It is.',
  long: (question) => (question.includes('big') ? 'No.' : 'It is, and here is why.'),
  same: () => 'It is.',
};

interface Score {
  readonly prediction: string;
  readonly run: string;
  readonly exception: string | null;
  readonly output: {
    readonly win: number;
    readonly baseline: string;
    readonly against: string;
    readonly flipped: boolean;
  };
}

function judge({ body }: AskedJudge): string {
  const [, first, second] = /1: (.*)\n2: (.*)/.exec(body.messages[0]?.content ?? '') as unknown as [
    string,
    string,
    string,
  ];
  const better = first.length === second.length ? 0 : first.length > second.length ? 1 : 2;
  return JSON.stringify({ reason: 'longer', better });
}

describe('answers compared with a baseline', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  /** Models that refuse all. */
  let broken: string[];
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    app = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      {},
      { isOwn: true },
    );
    client = app.as(app.writer);
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });
  beforeEach(async () => {
    broken = [];
    gateway.reset();
    gateway.reply = (asked) => {
      const { model, messages } = asked.body;
      if (model === 'judge') return judge(asked);
      if (broken.includes(model)) return { status: 404, code: 'model_not_found' };
      return ANSWERS[model]?.(messages.at(-1)?.content ?? '') ?? '';
    };
    await app.sql(
      'TRUNCATE evaluation_jobs, evaluation_cells, calls, call_values, object_heads, object_versions, table_rows',
    );
    await app.sql('TRUNCATE table_versions, table_chunks, usage_records');
    project = await JudgedProject.of(app);
    await project.addDataset('opposites', ROWS);
    await project.addScorer('better', BETTER);
  });

  const BODY = { project_id: PROJECT, dataset: 'opposites', scorers: ['better'] };
  const candidates = (...models: string[]) => models.map((model) => ({ model, name: model }));
  const run = async (more: object) => {
    const { status, json } = await client.post(RUNS, { ...BODY, ...more });
    expect([status, json()]).toMatchObject([200, { status: 'queued' }]);
    await app.app.get(CellWorker).run();
    return (await client.get(`${RUNS}/${json().id}`)).json();
  };
  const scores = () =>
    app.sql<Score>(
      `SELECT c.parent_id AS prediction, p.parent_id AS run, c.exception, v.output_text::json AS output
       FROM calls c JOIN calls p ON p.project_id = c.project_id AND p.id = c.parent_id
       JOIN call_values v ON v.project_id = c.project_id AND v.id = c.id
       WHERE v.attributes_text::json #>> '{hone,kind}' = 'score' ORDER BY c.started_at, c.id`,
    );
  const compare = async (...runs: string[]) =>
    (await client.post('/evaluation/compare', { project_id: PROJECT, runs })).json();

  it('are those of a candidate of the same evaluation, each pair once', async () => {
    const job = await run({ candidates: candidates('short', 'long', 'same'), baseline: 'short', trials: 2 });
    expect(job).toMatchObject({ status: 'done', baseline_run_id: job.candidates[0].evaluation_run_id, problems: [] });
    expect(job.candidates.map((one: { scores: { done: number } }) => one.scores.done)).toEqual([0, 8, 8]);
    const stored = await scores();
    expect(stored).toHaveLength(16);
    const [, long, same] = job.candidates.map((one: { evaluation_run_id: string }) => one.evaluation_run_id);
    const winsOf = (id: string) => stored.filter((score) => score.run === id).map(({ output }) => output.win);
    expect(winsOf(long).sort()).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
    expect(new Set(winsOf(same))).toEqual(new Set([0.5]));
    expect(stored.every(({ output }) => output.baseline === job.baseline_run_id)).toBe(true);
  });

  it('are named by their scores: the same row, the same trial', async () => {
    const job = await run({ candidates: candidates('short', 'long'), baseline: 'short', trials: 2 });
    const pairs = await app.sql<{ rows: boolean; trials: boolean; run: string }>(
      `SELECT a.row_digest = b.row_digest AS rows, a.trial = b.trial AS trials, c.parent_id AS run
       FROM evaluation_cells a JOIN evaluation_cells b ON b.uid = a.against_call AND b.scorer = 0
       JOIN calls c ON c.id = b.uid WHERE a.scorer > 0`,
    );
    expect(pairs).toHaveLength(8);
    for (const pair of pairs) expect(pair).toEqual({ rows: true, trials: true, run: job.baseline_run_id });
    const [{ output }] = (await scores()) as [Score];
    expect(output.against).toMatch(`hone:///${PROJECT}/call/`);
  });

  it('have a win rate with its interval in a comparison', async () => {
    const job = await run({ candidates: candidates('short', 'long'), baseline: 'short' });
    const [short, long] = job.candidates.map((one: { evaluation_run_id: string }) => one.evaluation_run_id);
    const { comparisons } = await compare(short, long);
    expect(comparisons[0].win_rates).toEqual([
      {
        ...{ metric: 'scores.better', wins: 3, ties: 0, losses: 1 },
        win_rate: {
          ...{ estimate: 0.75, low: expect.any(Number), high: expect.any(Number), method: 'wilson' },
          ...{ labels: 0, calls: 4, judge_only: true },
        },
      },
    ]);
    const { win_rate } = comparisons[0].win_rates[0];
    // Wilson's interval of 3 of 4, as R's prop.test(3, 4, correct = FALSE) has it.
    expect(win_rate.low).toBeCloseTo(0.3006, 4);
    expect(win_rate.high).toBeCloseTo(0.9544, 4);
    // What was compared with one run says nothing beside another one.
    expect((await compare(long, short)).comparisons[0].win_rates).toEqual([]);
  });

  it.each(['server', 'sdk'] as const)('are those of an earlier run of the %s', async (form) => {
    const runs = await EvaluationRuns.of(app);
    const predictions = ROWS.map((inputs) => ({ inputs, output: 'It is so, and that is all there is to say.' }));
    const { ref, rows } = await runs.addEvaluation('earlier', ROWS);
    const earlier =
      form === 'server'
        ? await runs.ofServer(predictions, { evaluation: ref })
        : await runs.ofSdk(
            predictions.map((one, at) => ({ ...one, inputs: rows[at] as string })),
            { evaluation: ref },
          );
    const job = await run({ candidates: candidates('long'), baseline: earlier, trials: 2 });
    expect(job).toMatchObject({ status: 'done', baseline_run_id: earlier, problems: [] });
    const stored = await scores();
    expect(stored.map(({ output }) => output.win)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    const { comparisons } = await compare(earlier, job.candidates[0].evaluation_run_id);
    expect(comparisons[0].win_rates).toMatchObject([{ wins: 0, losses: 4, win_rate: { estimate: 0, calls: 4 } }]);
  });

  it('are missing where the baseline has no answer, until it is retried', async () => {
    broken = ['short'];
    const job = await run({ candidates: candidates('short', 'long'), baseline: 'short' });
    expect(job.candidates[1].scores).toMatchObject({ skipped: 4, done: 0 });
    expect(job.problems).toContainEqual(
      expect.objectContaining({ state: 'skipped', code: 'missing_against', count: 4 }),
    );
    expect(await scores()).toEqual([]);
    broken = [];
    expect((await client.post(`${RUNS}/${job.id}/retry`)).status).toBe(200);
    await app.app.get(CellWorker).run();
    const retried = (await client.get(`${RUNS}/${job.id}`)).json();
    expect(retried).toMatchObject({ status: 'done', problems: [] });
    expect(retried.candidates[1].scores).toMatchObject({ skipped: 0, done: 4 });
    const stored = await scores();
    expect(stored.map(({ output }) => output.win).sort()).toEqual([0, 1, 1, 1]);
  });

  it('are not asked for again where only some were missing', async () => {
    gateway.reply = (asked) => {
      const { model, messages } = asked.body;
      if (model === 'judge') return judge(asked);
      const question = messages.at(-1)?.content ?? '';
      if (model === 'short' && question.includes('big')) return { status: 404, code: 'model_not_found' };
      return ANSWERS[model]?.(question) ?? '';
    };
    const job = await run({ candidates: candidates('short', 'long'), baseline: 'short' });
    expect(job.candidates[1].scores).toMatchObject({ skipped: 1, done: 3 });
    const before = gateway.asked.length;
    gateway.reply = (asked) => (asked.body.model === 'judge' ? judge(asked) : 'It is.');
    await client.post(`${RUNS}/${job.id}/retry`);
    await app.app.get(CellWorker).run();
    const retried = (await client.get(`${RUNS}/${job.id}`)).json();
    expect(retried.candidates[1].scores).toMatchObject({ skipped: 0, done: 4 });
    // The answer of the baseline, and its comparison in both orders.
    expect(gateway.asked.length - before).toBe(3);
  });

  it('are those that a scorer names in the row, where there is no baseline', async () => {
    await project.addDataset('expected', [
      { question: 'hot?', expected: 'It is, for all we know.' },
      { question: 'up?' },
    ]);
    await project.addScorer('reference', {
      ...BETTER,
      pairwise: { ...BETTER.pairwise, against: 'inputs.expected' },
    });
    const job = await run({ dataset: 'expected', scorers: ['reference'], candidates: candidates('short') });
    expect(job.candidates[0].scores).toMatchObject({ done: 1, skipped: 1 });
    const [score] = await scores();
    expect(score?.output).toMatchObject({ win: 0 });
    expect(score?.output).not.toHaveProperty('baseline');
  });

  it.each([
    ['nothing that its scorers compare with', { baseline: null }],
    ['no such candidate nor run', { baseline: 'other' }],
    ['a run of another project', { baseline: 'hone:///acme/elsewhere/call/x' }],
    ['the only candidate', { baseline: 'short', candidates: [{ model: 'short', name: 'short' }] }],
  ])('are refused of %s, and nothing is stored', async (_what, more) => {
    const { status, json } = await client.post(RUNS, { ...BODY, candidates: candidates('short', 'long'), ...more });
    expect([status, json().detail[0].loc]).toEqual([422, ['body', 'baseline']]);
    expect(await app.sql('SELECT FROM evaluation_jobs')).toEqual([]);
  });

  it('are refused where no scorer compares', async () => {
    await project.addScorer('right', { kind: 'check', check: { check: 'contains', value: 'is' } });
    const body = { ...BODY, scorers: ['right'], candidates: candidates('short', 'long'), baseline: 'short' };
    const { status, json } = await client.post(RUNS, body);
    expect([status, json().detail[0].loc]).toEqual([422, ['body', 'baseline']]);
  });

  it('cost no more than the budget and what is in flight', async () => {
    const job = await run({
      candidates: candidates('short', 'long'),
      baseline: 'short',
      max_cost_usd: 0.01,
      concurrency: 2,
    });
    expect(job.status).toBe('budget_spent');
    expect(job.cost_usd).toBeLessThanOrEqual(0.01 + 2 * 0.002);
  });
});
