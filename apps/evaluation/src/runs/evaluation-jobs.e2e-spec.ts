import type { JsonObject } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient, until } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { GateWorker } from '../gates/gate-worker.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { CellCostsJob } from './cell-costs-job.js';
import { CellWorker } from './cell-worker.js';
import { CellsRepository } from './cells.repository.js';

const RUNS = '/evaluation/runs';
const IS_RIGHT = { kind: 'check', check: { check: 'contains', reference: 'inputs.expected' } };
const JUDGE = {
  kind: 'llm',
  llm: {
    model: 'judge',
    messages: [{ role: 'user', content: '{{inputs.question}} {{output}}' }],
    ratings: [{ name: 'helpful', min: 1, max: 5 }],
    tags: [{ name: 'polite' }],
  },
};
const VERDICT = JSON.stringify({ reason: 'right', helpful: 4, polite: true });
const ROWS: JsonObject[] = [
  { question: 'The opposite of hot?', expected: 'cold' },
  { question: 'The opposite of up?', expected: 'down' },
  { messages: [{ role: 'user', content: 'The opposite of in?' }], question: 'in', expected: 'out' },
];
const ANSWERS: Record<string, string> = { hot: 'It is cold.', up: 'It is up.', in: 'out' };

interface StoredCall {
  id: string;
  op: string;
  parent: string | null;
  trace: string;
  exception: string | null;
  isEnded: boolean;
  attributes: { hone: Record<string, unknown>; evaluation?: Record<string, unknown> };
  inputs: Record<string, unknown>;
  output: never;
}

describe('evaluations on the server', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  let digests: string[];
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
    gateway.reset();
    gateway.reply = ({ body }) => {
      if (body.model === 'judge') return VERDICT;
      const asked = body.messages.at(-1)?.content ?? '';
      return Object.entries(ANSWERS).find(([word]) => asked.includes(word))?.[1] ?? 'What?';
    };
    await app.sql(
      'TRUNCATE evaluation_jobs, evaluation_cells, gates, gate_pairs, calls, call_values, object_heads, object_versions, table_rows',
    );
    await app.sql('TRUNCATE table_versions, table_chunks, usage_records, open_costs');
    project = await JudgedProject.of(app);
    digests = await project.addDataset('opposites', ROWS);
    await project.addScorer('right', IS_RIGHT);
    await project.addScorer('helpful', JUDGE);
  });

  const work = () => app.app.get(CellWorker).run();
  const BODY = {
    project_id: PROJECT,
    dataset: 'opposites',
    scorers: ['right'],
    candidates: [{ model: 'small' }],
  };
  const create = async (more: object = {}) => {
    const { status, json } = await client.post(RUNS, { ...BODY, ...more });
    expect([status, json()]).toMatchObject([200, { status: 'queued' }]);
    return json().id as string;
  };
  const read = async (id: string) => (await client.get(`${RUNS}/${id}`)).json();
  const refused = async (more: object) => {
    const { status, json } = await client.post(RUNS, { ...BODY, ...more });
    const [issue] = Array.isArray(json().detail) ? json().detail : [{}];
    return [status, issue.loc?.slice(1).join('.') ?? json().code];
  };
  /** Makes what failed for now due at once. */
  const hurry = () =>
    app.sql(`UPDATE evaluation_cells SET available_at = now() - interval '1 second' WHERE state = 'pending'`);
  const calls = () =>
    app.sql<StoredCall>(
      `SELECT c.id, c.op_name AS op, c.parent_id AS parent, c.trace_id AS trace, c.exception, c.ended_at IS NOT NULL AS "isEnded",
         v.attributes_text::json AS attributes, v.inputs_text::json AS inputs, v.output_text::json AS output
       FROM calls c JOIN call_values v ON v.project_id = c.project_id AND v.id = c.id
       WHERE c.started_at IS NOT NULL ORDER BY c.started_at, c.id`,
    );
  const callsOf = async (op: string) => (await calls()).filter((call) => call.op === op);
  const summaries = async () => (await callsOf('Evaluation.evaluate')).map(({ output }) => output);

  describe('let a gate be made of their runs before they begin', () => {
    const GATES = '/evaluation/gates';
    const gateOf = async (job: string, more: object = {}) => {
      const { candidates } = await read(job);
      const runs = candidates.map((candidate: { evaluation_run_id: string }) => candidate.evaluation_run_id);
      return client.post(GATES, { project_id: PROJECT, runs, metric: 'scores.right.passed', ...more });
    };
    const look = async (id: string) => {
      await app.sql('UPDATE gates SET look_at = now()');
      await app.app.get(GateWorker).run();
      return (await client.get(`${GATES}/${id}`)).json();
    };
    const CANDIDATES = { candidates: [{ model: 'small' }, { model: 'large' }] };

    it('which decides by what they find', async () => {
      const job = await create(CANDIDATES);
      const { status, json } = await gateOf(job);
      expect(status).toBe(200);
      expect(await look(json().id)).toMatchObject({ status: 'open', basis: null, pairs: 0, error: null });
      await work();
      expect(await look(json().id)).toMatchObject({ status: 'decided', basis: 'fact', pairs: 3 });
    });

    it('which fails where they never begin', async () => {
      const job = await create(CANDIDATES);
      const { json } = await gateOf(job);
      await client.post(`${RUNS}/${job}/cancel`, {});
      await work();
      const gate = await look(json().id);
      expect(gate).toMatchObject({ status: 'failed', error: expect.stringContaining('There is no evaluation run') });
      expect((await gateOf(job)).json()).toMatchObject({ code: 'comparison.run_not_found' });
    });
  });

  it('ask each row once, score each answer once, and sum up what was found', async () => {
    const id = await create({ scorers: ['right', 'helpful'] });
    await work();
    const job = await read(id);
    const done = { pending: 0, skipped: 0, failed: 0 };
    expect(job).toEqual({
      ...{ id, project_id: PROJECT, status: 'done', rows: 3, trials: 1, problems: [], error: null, max_cost_usd: null },
      baseline_run_id: null,
      evaluation: expect.stringMatching(`^hone:///${PROJECT}/object/opposites-evaluation:\\w{43}$`),
      candidates: [
        {
          ...{ name: 'small', answers: { ...done, done: 3 }, scores: { ...done, done: 6 }, cost_usd: 0.006 },
          model: expect.stringMatching(`^hone:///${PROJECT}/object/small:\\w{43}$`),
          evaluation_run_id: expect.any(String),
        },
      ],
      ...{ cost_usd: 0.006, created_at: expect.any(String), finished_at: expect.any(String) },
    });
    const [candidate] = job.candidates;
    const [run] = (await callsOf('Evaluation.evaluate')) as [StoredCall];
    expect(run).toMatchObject({
      ...{ id: candidate.evaluation_run_id, trace: candidate.evaluation_run_id, parent: null, isEnded: true },
      exception: null,
      inputs: { self: job.evaluation, model: candidate.model },
      output: {
        right: { passed: { true_count: 2, true_fraction: 2 / 3 } },
        helpful: { helpful: { mean: 4 }, polite: { true_count: 3, true_fraction: 1 } },
        model_latency: { mean: expect.any(Number) },
        hone: {
          answers: { done: 3, failed: 0 },
          scores: { done: 6, skipped: 0, failed: 0 },
          tokens: { prompt: 30, completion: 6 },
          cost_usd: 0.006,
        },
      },
    });
    const predictions = await callsOf('Model.predict');
    expect(predictions.map(({ inputs, output }) => [inputs, output])).toEqual(
      expect.arrayContaining([
        [ROWS[0], 'It is cold.'],
        [ROWS[1], 'It is up.'],
        [ROWS[2], 'out'],
      ]),
    );
    expect(predictions.map(({ attributes }) => attributes.hone['row_digest']).sort()).toEqual([...digests].sort());
    const scores = await callsOf('Scorer.score');
    const found = scores.map(({ parent, attributes, output }) => [parent, attributes.hone['name'], output]);
    expect(found).toHaveLength(6);
    for (const { id: prediction, output } of predictions) {
      expect(found).toContainEqual([prediction, 'right', { passed: output !== 'It is up.' }]);
      expect(found).toContainEqual([prediction, 'helpful', { reason: 'right', helpful: 4, polite: true }]);
    }
    expect([...predictions, ...scores].every(({ isEnded, trace }) => isEnded && trace === run.id)).toBe(true);
  });

  it('name run, row, trial and thread in what they ask, whose ids begin with those of the cells', async () => {
    const id = await create({ trials: 2, seed: 7, candidates: [{ model: 'small', parameters: { temperature: 0.5 } }] });
    await work();
    const { candidates } = await read(id);
    const predictions = await callsOf('Model.predict');
    expect(gateway.asked).toHaveLength(6);
    for (const { requestId, project: name, thread, metadata, body } of gateway.asked) {
      const prediction = predictions.find((call) => requestId === `${call.id}.1.0`) as StoredCall;
      const { row, trial, asked } = prediction.attributes.evaluation as { row: number; trial: number; asked: string };
      expect([name, thread]).toEqual([PROJECT, `${id}.${row}`]);
      expect(asked).toBe(`hone:///${PROJECT}/call/${requestId}`);
      expect(metadata).toEqual({
        user: 'hone.evaluation:opposites-evaluation',
        'hone.evaluation_run': candidates[0].evaluation_run_id,
        'hone.row': digests[row - 1],
        'hone.trial': trial,
      });
      expect(body).toMatchObject({ model: 'small', temperature: 0.5, seed: 7 + trial });
    }
    expect(gateway.asked.map(({ body }) => body.seed).sort()).toEqual([7, 7, 7, 8, 8, 8]);
  });

  it('fill the variables of a prompt from the row, and say which one a row lacks', async () => {
    const messages = [{ role: 'system', content: 'Be brief: {{ question }} (not {{expected}})' }];
    const digest = await project.addInstance('brief', 'Prompt', { messages, model: 'small' });
    await project.addDataset('opposites', [...ROWS, { question: 'What?' }]);
    const id = await create({ candidates: [{ prompt: 'brief' }, { prompt: `brief:${digest}`, model: 'large' }] });
    await work();
    const job = await read(id);
    expect(job.candidates.map(({ name, answers }: never) => [name, answers])).toEqual([
      ['brief-small', { pending: 0, done: 3, skipped: 0, failed: 1 }],
      ['brief-large', { pending: 0, done: 3, skipped: 0, failed: 1 }],
    ]);
    expect(job.problems).toEqual([
      { state: 'failed', code: 'missing_expected', count: 2, example_row_digest: expect.any(String) },
    ]);
    const hot = {
      prompt: { id: 'brief', version: digest, variables: { question: ROWS[0]?.question, expected: 'cold' } },
    };
    const asked = gateway.asked.map(({ body }) => body);
    expect(asked).toContainEqual({ ...hot, seed: 0, messages: [] });
    expect(asked).toContainEqual({ ...hot, seed: 0, messages: [], model: 'large' });
    expect(asked).toHaveLength(6);
    const failed = (await callsOf('Model.predict')).filter(({ exception }) => exception !== null);
    expect(failed.map(({ exception, output }) => [exception, output])).toEqual(
      Array.from({ length: 2 }, () => ["missing_expected: The row has no 'expected'.", null]),
    );
  });

  it('say of a model that there is not why nothing was answered, and sum up the others', async () => {
    gateway.reply = ({ body }) => (body.model === 'none' ? { status: 404, code: 'model_not_found' } : 'cold');
    const id = await create({ candidates: [{ model: 'none' }, { model: 'small' }] });
    await work();
    expect(await read(id)).toMatchObject({
      status: 'done',
      candidates: [
        { answers: { done: 0, failed: 3 }, scores: { done: 0, pending: 0 } },
        { answers: { done: 3, failed: 0 }, scores: { done: 3 } },
      ],
      problems: [{ state: 'failed', code: 'model_not_found', count: 3 }],
    });
    const [none, small] = await summaries();
    expect(none).toMatchObject({ right: {}, model_latency: { mean: null }, hone: { answers: { done: 0, failed: 3 } } });
    expect(small).toMatchObject({ right: { passed: { true_count: 1, true_fraction: 1 / 3 } } });
    expect(gateway.asked.filter(({ body }) => body.model === 'none')).toHaveLength(3);
  });

  it('sum up what judgements cost that failed', async () => {
    gateway.reply = ({ body }) => (body.model === 'judge' ? 'Well done!' : 'cold');
    const id = await create({ scorers: ['helpful'] });
    await work();
    // Each judge is asked twice.
    const problems = [{ code: 'judge_answered_nonsense', count: 3 }];
    expect(await read(id)).toMatchObject({ status: 'done', problems, cost_usd: 0.009 });
    expect(await summaries()).toMatchObject([{ hone: { scores: { failed: 3 }, cost_usd: 0.009 } }]);
  });

  it('try again what failed for now, and keep what it cost', async () => {
    let times = 0;
    gateway.reply = ({ body }) => (body.model === 'judge' ? VERDICT : times++ < 2 ? { status: 503 } : 'cold');
    const id = await create({ scorers: ['helpful'] });
    await work();
    expect(await read(id)).toMatchObject({ status: 'running', candidates: [{ answers: { pending: 2, done: 1 } }] });
    await hurry();
    await work();
    expect(await read(id)).toMatchObject({
      ...{ status: 'done', problems: [], cost_usd: 0.006 },
      candidates: [{ answers: { done: 3 }, scores: { done: 3 } }],
    });
    gateway.reply = () => ({ status: 503, code: 'overloaded' });
    const next = await create({ seed: 1 });
    for (let time = 0; time <= 5; time++) {
      await work();
      await hurry();
    }
    await work();
    expect(await read(next)).toMatchObject({ status: 'done', problems: [{ code: 'overloaded', count: 3 }] });
  });

  it('measure an answer from when it was asked, and not from when a gateway was away', async () => {
    const port = Number(new URL(gateway.url).port);
    await gateway.close();
    await create();
    const working = work();
    const begun = Date.now();
    await until(() => Date.now() - begun > 600, 'a wait that is longer than any answer takes');
    const back = Date.now();
    gateway = await FakeGateway.start(port);
    gateway.reply = () => 'cold';
    await working;
    const longest = Date.now() - back;
    const predictions = await app.sql<{ ms: number; late: boolean }>(
      `SELECT (extract(epoch FROM ended_at - started_at) * 1000)::int AS ms, started_at >= to_timestamp($1::float8) AS late
       FROM calls WHERE op_name = 'Model.predict'`,
      [back / 1_000],
    );
    expect(predictions.map(({ late }) => late)).toEqual([true, true, true]);
    expect(Math.max(...predictions.map(({ ms }) => ms))).toBeLessThanOrEqual(longest);
    const [summary] = (await summaries()) as unknown as [{ hone: { latency_ms: { p95: number } } }];
    expect(summary.hone.latency_ms.p95).toBeLessThanOrEqual(longest);
  });

  it('end where the budget is spent, with scores of what was paid for', async () => {
    await project.addDataset(
      'opposites',
      Array.from({ length: 30 }, (_, n) => ({ question: `hot ${n}`, expected: 'cold' })),
    );
    const id = await create({ max_cost_usd: 0.005 });
    await work();
    const job = await read(id);
    expect(job).toMatchObject({ status: 'budget_spent', rows: 30, finished_at: expect.any(String) });
    const [{ answers, scores }] = job.candidates;
    expect(answers.done).toBeGreaterThanOrEqual(5);
    // What is in flight may be spent beyond it.
    expect(answers.done).toBeLessThanOrEqual(5 + 8);
    expect(scores).toEqual({ pending: 0, done: answers.done, skipped: 0, failed: 0 });
    const [run] = await callsOf('Evaluation.evaluate');
    expect(run).toMatchObject({
      exception: 'The budget of the evaluation was spent.',
      output: { right: { passed: { true_count: answers.done, true_fraction: 1 } } },
    });
  });

  it('end where they are cancelled, once what is in flight is settled', async () => {
    let mayAnswer: (answer: string) => void = () => undefined;
    const answer = new Promise<string>((resolve) => (mayAnswer = resolve));
    gateway.reply = () => answer;
    const id = await create({ concurrency: 2 });
    const working = work();
    await until(() => gateway.asked.length === 2, 'both requests');
    const cancelled = await client.post(`${RUNS}/${id}/cancel`, {});
    expect([cancelled.status, cancelled.json()]).toMatchObject([200, { status: 'cancelled', finished_at: null }]);
    mayAnswer('cold');
    await working;
    await work();
    expect(await read(id)).toMatchObject({
      ...{ status: 'cancelled', finished_at: expect.any(String), cost_usd: 0.002 },
      candidates: [{ answers: { pending: 0, done: 2 }, scores: { pending: 0, done: 0 } }],
    });
    expect(await callsOf('Evaluation.evaluate')).toMatchObject([
      { isEnded: true, exception: 'The evaluation was cancelled.', output: { hone: { answers: { done: 2 } } } },
    ]);
    expect(gateway.asked).toHaveLength(2);
    const again = await client.post(`${RUNS}/${id}/cancel`, {});
    expect([again.status, again.json().code]).toEqual([409, 'evaluation_job.already_finished']);
  });

  it('book what requests cost whose answers never came', async () => {
    gateway.reply = ({ requestId }) => (requestId.endsWith('.1.0') ? { cut: true } : 'cold');
    const id = await create();
    await work();
    const [first] = gateway.asked;
    await hurry();
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', cost_usd: 0.003 });
    const uid = first?.requestId.slice(0, 36) as string;
    await project.addUsage([`${uid}.1.0`, `${uid}.2.0`]);
    await project.hurryCosts();
    await app.app.get(CellCostsJob).run();
    expect(await read(id)).toMatchObject({ cost_usd: 0.004, candidates: [{ cost_usd: 0.004 }] });
  });

  it('book each late cost once, however many were settled at one time and whoever looks', async () => {
    const id = await create();
    await work();
    const before = (await read(id)).cost_usd;
    const LATE = 1_200;
    await app.sql(
      `INSERT INTO evaluation_cells (project_id, job_id, candidate, row_digest, row_number, trial, state, settled_at)
       SELECT $1, $2, 0, 'late' || n, 100, n, 'done', now() FROM generate_series(1, $3::int) n`,
      [project.rowId, id, LATE],
    );
    await app.sql('UPDATE evaluation_cells SET is_cost_open = true WHERE row_number = 100');
    const uids = await app.sql<{ uid: string }>('SELECT uid FROM evaluation_cells WHERE row_number = 100');
    await project.addUsage(uids.map(({ uid }) => `${uid}.1.0`));
    await project.hurryCosts();
    const cells = app.app.get(CellsRepository);
    const look = async () => {
      while (await cells.bookCosts());
    };
    await Promise.all([look(), look()]);
    // What one left to the other is looked at again.
    await look();
    expect((await read(id)).cost_usd).toBeCloseTo(before + LATE * 0.001, 9);
    const wrong = await app.sql(`SELECT uid FROM evaluation_cells WHERE row_number = 100 AND cost_nano_usd <> 1000000`);
    expect(wrong).toEqual([]);
  });

  it('book what cells cost that a cancel deletes', async () => {
    gateway.reply = ({ body }) => (body.messages.at(-1)?.content.includes('hot') ? 'cold' : { cut: true });
    const id = await create();
    await work();
    await client.post(`${RUNS}/${id}/cancel`, {});
    await work();
    const cells = await app.sql<{ uid: string }>('SELECT uid FROM evaluation_cells WHERE scorer = 0');
    expect(cells).toHaveLength(1);
    await project.addUsage(gateway.asked.map(({ requestId }) => requestId));
    await project.hurryCosts();
    await app.app.get(CellCostsJob).run();
    expect(await read(id)).toMatchObject({ status: 'cancelled', cost_usd: 0.003 });
  });

  it('store what failed by a fault of their own as predictions and scores that failed', async () => {
    await app.sql(`UPDATE table_rows SET val_text = '{' WHERE digest = $1`, [digests[0]]);
    await app.sql(
      `CREATE FUNCTION no_score() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no score'; END $$`,
    );
    await app.sql(
      `CREATE TRIGGER no_score BEFORE UPDATE ON evaluation_cells FOR EACH ROW
       WHEN (NEW.scorer = 1 AND NEW.state = 'done') EXECUTE FUNCTION no_score()`,
    );
    const id = await create();
    for (let time = 0; time <= 5; time++) {
      await work();
      await hurry();
    }
    await app.sql('DROP FUNCTION no_score CASCADE');
    await work();
    expect(await read(id)).toMatchObject({
      candidates: [{ answers: { done: 2, failed: 1 }, scores: { done: 0, failed: 2 } }],
      problems: [{ code: 'evaluating_failed', count: 3 }],
    });
    const exception = expect.stringMatching('^evaluating_failed: ');
    const isFailed = (call: StoredCall) => call.exception !== null;
    expect((await callsOf('Model.predict')).filter(isFailed)).toMatchObject([
      { exception, isEnded: true, output: null, inputs: {}, attributes: { hone: { row_digest: digests[0] } } },
    ]);
    const score = { exception, isEnded: true, output: null };
    expect(await callsOf('Scorer.score')).toMatchObject([score, score]);
  });

  it('run a stored evaluation as it is, whose trials are its own', async () => {
    const scorers = [`hone:///${PROJECT}/object/right:latest`];
    const dataset = `hone:///${PROJECT}/object/opposites:latest`;
    const digest = await project.addInstance('twice', 'Evaluation', { dataset, scorers, trials: 2 });
    const own = { dataset: null, scorers: null, evaluation: 'twice' };
    const id = await create(own);
    await work();
    expect(await read(id)).toMatchObject({
      ...{ status: 'done', trials: 2, evaluation: `hone:///${PROJECT}/object/twice:${digest}` },
      candidates: [{ answers: { done: 6 }, scores: { done: 6 } }],
    });
    expect(await refused({ ...own, trials: 3 })).toEqual([422, 'trials']);
    expect(await refused({ ...own, trials: 2, candidates: [] })).toEqual([422, 'candidates']);
  });

  it('count equal rows once', async () => {
    await project.addDataset('opposites', [ROWS[0] as JsonObject, ROWS[1] as JsonObject, ROWS[0] as JsonObject]);
    const id = await create();
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', rows: 2, candidates: [{ answers: { done: 2 } }] });
  });

  it('fail where the dataset is gone before they begin; rows that go later fail one by one', async () => {
    const id = await create();
    await app.sql('TRUNCATE table_chunks, table_versions, table_rows');
    await work();
    expect(await read(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('dataset'), rows: null });
    expect(await calls()).toEqual([]);
    await project.addDataset('opposites', ROWS);
    const next = await create();
    await app.sql('DELETE FROM table_rows WHERE digest = $1', [digests[1]]);
    await work();
    expect(await read(next)).toMatchObject({
      status: 'done',
      problems: [{ code: 'missing_row', count: 1, example_row_digest: digests[1] }],
    });
  });

  it('end when the key in whose name they ask has ended', async () => {
    const wanda = await app.user('wanda', { roles: { acme: 'writer' } });
    const { json } = await app.as(wanda).post(RUNS, BODY);
    await app.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [wanda.keyId]);
    await app.sql(`DELETE FROM api_keys WHERE id = $1`, [wanda.keyId]);
    await work();
    await work();
    expect(await read(json().id)).toMatchObject({ status: 'failed', error: expect.stringContaining('key') });
  });

  it('are listed by pages, the newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await create({ seed: n }));
    const { json } = await client.get(`${RUNS}?project_id=${encodeURIComponent(PROJECT)}`);
    expect(json()).toMatchObject({ runs: [...ids].reverse().map((id) => ({ id })), next_cursor: null });
    const page = await client.get(`${RUNS}?project_id=${encodeURIComponent(PROJECT)}&cursor=${ids[1]}`);
    expect(page.json().runs.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  });

  it.each<[string, object, unknown[]]>([
    ['an evaluation beside a dataset', { evaluation: 'x' }, [422, 'dataset']],
    ['neither', { dataset: null, scorers: null }, [422, 'dataset']],
    ['a dataset without scorers', { scorers: null }, [422, 'scorers']],
    ['no scorers', { scorers: [] }, [422, 'scorers']],
    [
      'too many candidates',
      { candidates: Array.from({ length: 6 }, (_, n) => ({ model: `m${n}` })) },
      [422, 'candidates'],
    ],
    ['no candidates', { candidates: [] }, [422, 'candidates']],
    ['a candidate of nothing', { candidates: [{}] }, [422, 'candidates.0.model']],
    ['a model that is no text', { candidates: [{ model: { $ne: 1 } }] }, [422, 'candidates.0.model']],
    [
      'two candidates of one name',
      { candidates: [{ model: 'a' }, { model: 'a', parameters: { top_p: 1 } }] },
      [422, 'candidates.1.name'],
    ],
    [
      'a parameter that is its own',
      { candidates: [{ model: 'a', parameters: { stream: true } }] },
      [422, 'candidates.0.parameters.stream'],
    ],
    ['parameters that are none', { candidates: [{ model: 'a', parameters: [] }] }, [422, 'candidates.0.parameters']],
    ['a name that is no id', { candidates: [{ model: 'a', name: 'a/b' }] }, [422, 'candidates.0.name']],
    ['a name of another class', { candidates: [{ model: 'a', name: 'right' }] }, [409, 'object.type_collision']],
    [
      'a text that no database holds',
      { candidates: [{ model: 'a', parameters: { stop: ['a\u0000b'] } }] },
      [422, 'candidates.0.parameters'],
    ],
    ['no trials', { trials: 0 }, [422, 'trials']],
    ['too many trials', { trials: 21 }, [422, 'trials']],
    ['too much at once', { concurrency: 33 }, [422, 'concurrency']],
    ['a budget of nothing', { max_cost_usd: 0 }, [422, 'max_cost_usd']],
    ['a negative seed', { seed: -1 }, [422, 'seed']],
    ['a field that there is not', { rows: 3 }, [422, 'rows']],
    ['a dataset that there is not', { dataset: 'none' }, [404, 'dataset.not_found']],
    ['a dataset that is a scorer', { dataset: 'right' }, [404, 'dataset.not_found']],
    ['a dataset of another project', { dataset: 'hone:///acme/other/object/opposites:v0' }, [404, 'dataset.not_found']],
    [
      'an evaluation that is a dataset',
      { dataset: null, scorers: null, evaluation: 'opposites' },
      [404, 'evaluation.not_found'],
    ],
    ['a scorer that there is not', { scorers: ['right', 'none'] }, [404, 'scorer.not_found']],
    ['a scorer twice', { scorers: ['right', 'right:v0'] }, [422, 'scorers']],
    ['a prompt that there is not', { candidates: [{ model: 'a', prompt: 'none' }] }, [404, 'prompt.not_found']],
    ['a prompt that is a dataset', { candidates: [{ model: 'a', prompt: 'opposites' }] }, [404, 'prompt.not_found']],
  ])('refuse %s, and store nothing', async (_what, more, expected) => {
    const before = await app.sql('SELECT count(*) FROM object_versions');
    expect(await refused(more)).toEqual(expected);
    expect(await app.sql('SELECT count(*) FROM object_versions')).toEqual(before);
    expect(await app.sql('SELECT id FROM evaluation_jobs')).toEqual([]);
  });

  it('refuse scorers whose code clients run, datasets without rows, and more answers than the limit', async () => {
    await project.addScorer('code', null);
    expect(await refused({ scorers: ['code'] })).toEqual([422, 'scorer.not_defined']);
    await project.addDataset('empty', []);
    expect(await refused({ dataset: 'empty' })).toEqual([422, 'dataset']);
    await app.sql('UPDATE table_versions SET row_count = 100001 WHERE row_count = 3');
    expect(await refused({})).toEqual([422, 'dataset']);
  });

  it('survive hostile rows', async () => {
    const deep = JSON.parse('['.repeat(200) + ']'.repeat(200));
    await project.addDataset('opposites', [
      { question: 7, expected: 'cold' },
      { messages: 'no list', question: null },
      { messages: [], inputs: [] },
      { __proto__x: deep, constructor: { name: 'x' }, question: '\u2028{{expected}}', expected: { a: [1] } } as never,
      { messages: [{ role: 'user', content: 'hot' }], expected: '' },
      { expected: 'x'.repeat(1_100_000), question: 'hot' },
    ]);
    const id = await create();
    await work();
    const job = await read(id);
    expect([job.status, job.candidates[0].answers]).toEqual(['done', { pending: 0, done: 2, skipped: 0, failed: 4 }]);
    expect(job.problems.map(({ code, count }: never) => [code, count])).toEqual(
      expect.arrayContaining([
        ['missing_messages', 3],
        ['missing_row', 1],
      ]),
    );
  });
});
