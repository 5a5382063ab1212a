import type { PipelineDto, PipelineRunDto } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient, until } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { GateWorker } from '../gates/gate-worker.js';
import { CellWorker } from '../runs/cell-worker.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { type AskedTraining, FakeTraining } from '../testing/fake-training.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { PipelineWorker } from './pipeline-worker.js';
import { alphaOf } from './run-steps.service.js';

const PATH = '/evaluation/pipelines';
const MODEL = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';
const ROWS = Array.from({ length: 60 }, (_none, row) => ({ question: `Question ${row}?`, expected: 'yes' }));
const JUDGE = {
  kind: 'llm',
  llm: {
    ...{ model: 'judge', messages: [{ role: 'user', content: '{{output}}' }] },
    ratings: [{ name: 'good', min: 1, max: 5 }],
  },
};
const BODY = {
  ...{ project_id: PROJECT, name: 'nightly', model_id: MODEL, promote_to: 'production' },
  ...{ data: { kind: 'thumbs', options: { source: {} } }, evaluate: { dataset: 'questions', scorers: ['right'] } },
  gate: { metric: 'scores.right.passed' },
};

describe('pipelines', () => {
  let gateway: FakeGateway;
  let training: FakeTraining;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    training = await FakeTraining.start();
    const urls = { gatewayUrl: gateway.url, trainingUrl: training.url };
    app = await startTestApp(
      EvaluationModule.forRoot(() => urls),
      {},
      { isOwn: true },
    );
    const owner = await app.user('olga', { roles: { acme: 'owner' } });
    client = app.as(owner);
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
    await training.close();
  });
  beforeEach(async () => {
    gateway.reset();
    training.reset();
    // The candidate alone is right: the checkpoints of jobs are not the base.
    gateway.reply = ({ body }) => (body.model.endsWith(':step0') ? 'no' : 'yes');
    await app.sql('TRUNCATE pipelines, pipeline_runs, gates, gate_pairs, evaluation_jobs, evaluation_cells, feedback');
    await app.sql(
      'TRUNCATE calls, call_values, object_heads, object_versions, table_rows, table_versions, table_chunks',
    );
    project = await JudgedProject.of(app);
    await project.addDataset('questions', ROWS);
    await project.addScorer('right', { kind: 'check', check: { check: 'contains', reference: 'inputs.expected' } });
    await project.addScorer('helpful', JUDGE);
  });

  const create = async (more: object = {}): Promise<PipelineDto> => {
    const { status, json } = await client.post(PATH, { ...BODY, ...more });
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    return json() as PipelineDto;
  };
  const refusal = async (more: object): Promise<[number, string]> => {
    const { status, json } = await client.post(PATH, { ...BODY, ...more });
    return [status, json().detail as string];
  };
  const start = async ({ id }: PipelineDto): Promise<string> =>
    (await client.post(`${PATH}/${id}/runs`)).json().id as string;
  const readRun = async (id: string): Promise<PipelineRunDto> =>
    (await client.get(`/evaluation/pipeline-runs/${id}`)).json() as PipelineRunDto;
  const read = async ({ id }: PipelineDto): Promise<PipelineDto> =>
    (await client.get(`${PATH}/${id}`)).json() as PipelineDto;
  const runsOf = async ({ id }: PipelineDto): Promise<PipelineRunDto[]> =>
    (await client.get(`${PATH}/${id}/runs`)).json().runs as PipelineRunDto[];

  const advance = async (): Promise<void> => {
    await app.sql(`UPDATE pipeline_runs SET look_at = now() - interval '1 second' WHERE ended_at IS NULL`);
    await app.sql(`UPDATE gates SET look_at = now() - interval '1 second' WHERE status = 'open'`);
    await app.app.get(PipelineWorker).run();
    await app.app.get(CellWorker).run();
    await app.app.get(GateWorker).run();
  };
  const ended = async (id: string): Promise<PipelineRunDto> => {
    for (let turn = 0; turn < 20; turn++) {
      await advance();
      const run = await readRun(id);
      if (run.status !== 'running') return run;
    }
    throw new Error(`It does not end: ${JSON.stringify(await readRun(id))}`);
  };
  const finish = async (pipeline: PipelineDto): Promise<PipelineRunDto> => ended(await start(pipeline));

  it('learn, compare, and promote from where the alias was', async () => {
    training.aliases.set('production', 7);
    gateway.reply = ({ body }) => (body.model.endsWith(':step7') ? 'no' : 'yes');
    const pipeline = await create({ config: { n_epochs: 2 }, max_cost_usd: 5 });
    const run = await finish(pipeline);
    expect(run).toMatchObject({ status: 'promoted', current_step: 7, started_by: 'request', alpha: alphaOf(0.05, 1) });
    expect(training.made('/training-data/from-calls')).toEqual([
      {
        ...{ source: {}, kind: 'thumbs', entity: 'acme', project: 'judged', name: `pipeline-${pipeline.id}` },
        model_id: MODEL,
      },
    ]);
    expect(training.made('/preference-training-jobs')).toEqual([
      {
        ...{ model_id: MODEL, training_data_url: 'hone-artifact:///acme/judged/data:v0' },
        config: { method: 'kto', n_epochs: 2, parent_step: 7 },
      },
    ]);
    expect(training.aliases.get('production')).toBe(1);
    expect(run.steps.map(({ step }) => step)).toEqual(['data', 'training', 'evaluation', 'gate', 'promotion']);
    expect(run.cost_usd).toBeCloseTo(0.12, 9);
    expect(await read(pipeline)).toMatchObject({ runs: 1, gates: 1, alpha_spent: alphaOf(0.05, 1) });
  });

  it('spend their alpha over all their gates, and promote nothing that is no better', async () => {
    const pipeline = await create();
    await finish(pipeline);
    const [second, third] = [await finish(pipeline), await finish(pipeline)];
    expect(second).toMatchObject({ status: 'undecided', current_step: 1, alpha: alphaOf(0.05, 2) });
    expect(third).toMatchObject({ status: 'undecided', number: 3, alpha: alphaOf(0.05, 3) });
    expect(training.aliases.get('production')).toBe(1);
    const total = Array.from({ length: 10_000 }, (_none, at) => alphaOf(0.05, at + 1)).reduce(
      (sum, alpha) => sum + alpha,
    );
    expect(total).toBeLessThan(0.05);
  });

  it('leave an alias alone that somebody else has moved', async () => {
    training.reply = ({ method, path, body }: AskedTraining) => {
      if (method === 'PUT' && path.endsWith('production') && body['if_step'] === 0)
        training.aliases.set('production', 99);
      return undefined;
    };
    expect(await finish(await create())).toMatchObject({
      status: 'alias_moved',
      reason: expect.stringContaining('step 99'),
    });
    expect(training.aliases.get('production')).toBe(99);
  });

  it('say so where there is nothing to learn from, or a job fails', async () => {
    const pipeline = await create();
    training.reply = ({ path }) =>
      path === '/training-data/from-calls'
        ? { status: 422, body: { detail: [{ loc: ['body', 'source'], msg: 'No call is left', type: 'value_error' }] } }
        : undefined;
    expect(await finish(pipeline)).toMatchObject({
      status: 'no_data',
      reason: expect.stringContaining('No call is left'),
    });
    training.reply = ({ method, path }) =>
      method === 'GET' && path.startsWith('/training-jobs/')
        ? { status: 200, body: { status: 'failed', error: { message: 'Too large.' } } }
        : undefined;
    expect(await finish(pipeline)).toMatchObject({ status: 'failed', reason: expect.stringContaining('Too large.') });
  });

  it('wait for a training service that does not answer', async () => {
    const run = await start(await create());
    training.reply = () => ({ status: 503, body: { detail: 'Busy.' } });
    await advance();
    expect(await readRun(run)).toMatchObject({ status: 'running' });
    training.reply = () => undefined;
    expect(await ended(run)).toMatchObject({ status: 'promoted' });
  });

  it('refuse what could do harm, and say what is missing', async () => {
    const judged = { evaluate: { dataset: 'questions', scorers: ['helpful'] } };
    const [status, unlabelled] = await refusal({ ...judged, gate: { metric: 'scores.helpful.good' } });
    expect([status, unlabelled]).toEqual([422, expect.stringMatching(/is a judge, and 'gate.truth' does not say/)]);
    const truth = { feedback_type: 'hone.annotation.quality' };
    expect(await refusal({ ...judged, gate: { metric: 'scores.helpful.good', truth } })).toEqual([
      422,
      expect.stringMatching(/has no annotation field 'quality'/),
    ]);
    await project.addField('quality');
    expect(await refusal({ ...judged, gate: { metric: 'scores.helpful.good', truth } })).toEqual([
      422,
      expect.stringMatching(/'helpful' is advisory: people have judged none of its calls/),
    ]);
    expect(await refusal({ gate: { metric: 'scores.other.passed' } })).toEqual([
      422,
      expect.stringMatching(/None of the scorers finds 'scores.other.passed'/),
    ]);
    const guards = { 'scores.polite.value': 0.1, cost_usd: 0.1 };
    expect(await refusal({ gate: { ...BODY.gate, guards } })).toEqual([
      422,
      expect.stringMatching(/None of the scorers finds 'scores.polite.value'.*No model has a price/),
    ]);
    const accepted = { metric: 'scores.helpful.good', accept_uncorrected: true };
    expect(await create({ ...judged, gate: accepted })).toMatchObject({ missing: [] });
  });

  it('refuse a run for what has become missing since', async () => {
    const pipeline = await create({ every_hours: 1 });
    await app.sql(`UPDATE pipelines SET settings = jsonb_set(settings, '{gate,metric}', '"scores.gone.passed"')`);
    expect((await client.post(`${PATH}/${pipeline.id}/runs`)).json()).toMatchObject({ code: 'pipeline.unsafe' });
    await app.sql(`UPDATE pipelines SET created_at = now() - interval '2 hours'`);
    await advance();
    const [run] = await runsOf(pipeline);
    expect(run).toMatchObject({
      status: 'refused',
      started_by: 'schedule',
      reason: expect.stringContaining('scores.gone'),
    });
    expect(training.made('/training-data/from-calls')).toEqual([]);
  });

  it('start once when they are due, whoever looks, and not while they are paused', async () => {
    const pipeline = await create({ every_hours: 1 });
    await advance();
    expect(await runsOf(pipeline)).toEqual([]);
    await app.sql(`UPDATE pipelines SET created_at = now() - interval '61 minutes'`);
    await client.put(`${PATH}/${pipeline.id}`, { paused: true });
    await advance();
    expect(await runsOf(pipeline)).toEqual([]);
    await client.put(`${PATH}/${pipeline.id}`, { paused: false });
    const worker = app.app.get(PipelineWorker);
    await Promise.all([worker.run(), worker.run(), worker.run()]);
    expect(await runsOf(pipeline)).toMatchObject([{ number: 1, started_by: 'schedule' }]);
    expect((await client.post(`${PATH}/${pipeline.id}/runs`)).json()).toMatchObject({ code: 'pipeline.running' });
  });

  it('start once enough calls were judged since the last run', async () => {
    const pipeline = await create({ new_judged_calls: 3 });
    const calls = await project.addCalls({}, {}, {});
    const judge = (call: string) => project.addVerdict('right:x', call, { passed: 1 });
    for (const call of [calls[0], calls[0], calls[1]]) await judge(call as string);
    await advance();
    expect(await runsOf(pipeline)).toEqual([]);
    await judge(calls[2] as string);
    const hasStarted = async () => {
      await app.app.get(PipelineWorker).run();
      return (await runsOf(pipeline)).length > 0;
    };
    await until(hasStarted, 'the run');
    expect(await runsOf(pipeline)).toMatchObject([{ number: 1, started_by: 'judged_calls' }]);
  });

  it('do each step once, however many processes go on with it', async () => {
    const run = await start(await create());
    const worker = app.app.get(PipelineWorker);
    for (let turn = 0; turn < 6; turn++) {
      // As if whoever had the claim had died.
      await app.sql(`UPDATE pipeline_runs SET look_at = now() - interval '1 second' WHERE ended_at IS NULL`);
      await Promise.all([worker.run(), worker.run(), worker.run()]);
      await app.app.get(CellWorker).run();
      await app.sql(`UPDATE gates SET look_at = now() - interval '1 second' WHERE status = 'open'`);
      await app.app.get(GateWorker).run();
    }
    expect(await ended(run)).toMatchObject({ status: 'promoted', reason: expect.stringMatching(/^Step 1 is/) });
    expect(training.made('/preference-training-jobs')).toHaveLength(1);
    const [counts] = await app.sql<{ jobs: number; gates: number }>(
      'SELECT (SELECT count(*)::int FROM evaluation_jobs) AS jobs, (SELECT count(*)::int FROM gates) AS gates',
    );
    expect(counts).toEqual({ jobs: 1, gates: 1 });
  });

  it('are cancelled with what they work on', async () => {
    const pipeline = await create();
    const run = await start(pipeline);
    training.reply = ({ method, path }) =>
      method === 'GET' && path.startsWith('/training-jobs/') ? { status: 200, body: { status: 'running' } } : undefined;
    await advance();
    expect((await readRun(run)).steps.at(-1)).toMatchObject({ step: 'training', ended_at: null });
    expect((await client.post(`/evaluation/pipeline-runs/${run}/cancel`)).json()).toMatchObject({
      status: 'cancelled',
    });
    expect(training.asked.at(-1)).toMatchObject({ method: 'POST', path: expect.stringMatching(/\/cancel$/) });
    expect((await client.post(`/evaluation/pipeline-runs/${run}/cancel`)).json()).toMatchObject({
      code: 'pipeline.run_ended',
    });
    expect((await client.delete(`${PATH}/${pipeline.id}`)).status).toBe(200);
    expect((await client.get(`/evaluation/pipeline-runs/${run}`)).json()).toMatchObject({
      code: 'pipeline.run_not_found',
    });
  });

  it('refuse a gate that could never be made, and a text that no database holds', async () => {
    const { json } = await client.post(PATH, { ...BODY, gate: { metric: 'latency_ms' } });
    expect(json()).toMatchObject({ detail: [{ loc: ['body', 'gate', 'metric'] }] });
    const config = { note: 'a\u0000b' };
    expect((await client.post(PATH, { ...BODY, config })).status).toBe(422);
  });

  it('have names of their own', async () => {
    await create();
    expect((await client.post(PATH, BODY)).json()).toMatchObject({ code: 'pipeline.name_taken' });
  });
});
