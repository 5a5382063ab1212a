import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { FakeWorker } from './fake-worker.fixture.js';

const JOBS = '/v1/preview/training-jobs';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const GROUPS = [{ trajectories: [{ reward: 1 }, {}] }, {}];

let app: TrainingApp;
let worker: FakeWorker;
beforeAll(async () => {
  app = await startTrainingApp();
  worker = new FakeWorker(app.db);
});
afterAll(() => app.close());

const create = (modelId: string) => app.caller.post(JOBS, { model_id: modelId, trajectory_groups: GROUPS });

describe('POST /v1/preview/training-jobs/{id}/cancel', () => {
  const aJob = async () => (await create(await createModel(app.caller))).json().id as string;
  const cancel = (id: string) => app.caller.post(`${JOBS}/${id}/cancel`);

  it('ends a queued job at once, and says so again', async () => {
    const id = await aJob();
    const job = (await cancel(id)).json();
    expect(job).toMatchObject({
      status: 'cancelled',
      queue_position: null,
      finished_at: expect.any(String),
      cancel_requested_at: expect.any(String),
      error: { code: 'job.cancelled', loc: null, locs: [], retryable: false },
    });
    expect((await cancel(id)).json()).toEqual(job);
    expect((await app.caller.get(`${JOBS}/${id}/events`)).json().data).toMatchObject([
      { type: 'training_failed', data: { code: 'job.cancelled', error_message: 'The job was cancelled.' } },
    ]);
  });

  it('answers once more what it answered with the same key', async () => {
    const id = await aJob();
    const headers = { 'idempotency-key': 'cancel' };
    const answers = [];
    for (let time = 0; time < 2; time++) {
      answers.push(await app.caller.post(`${JOBS}/${id}/cancel`, undefined, { headers }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(answers.map((answer) => answer.headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  });

  it('asks the worker of a running job to stop', async () => {
    await app.sql(`UPDATE training_jobs SET status = 'cancelled' WHERE status = 'queued'`);
    const id = await aJob();
    const lease = await worker.start(2);
    await worker.step(lease, 1);
    expect((await cancel(id)).json()).toMatchObject({
      status: 'cancelling',
      progress: { gradient_steps_done: 1, gradient_steps_total: 2, fraction: 0.5, phase: 'training' },
      tokens: { input: 40, trainable: 20, processed: 10 },
      data: {
        groups_submitted: 2,
        groups_trainable: 1,
        trajectories: 2,
        trajectories_trained: 2,
        dropped: { zero_advantage: 1 },
        ...{ reward_mean: null, reward_std_dev: null, reward_zero_share: null },
      },
    });
    expect(await worker.lease.heartbeat(lease, 'training')).toMatchObject({ cancel: true });
    await worker.lease.cancelSeen(lease);
    expect((await cancel(id)).json()).toMatchObject({ status: 'cancelled', produced_checkpoint: null });
  });

  it('refuses to cancel what has finished', async () => {
    await app.sql(`UPDATE training_jobs SET status = 'cancelled' WHERE status = 'queued'`);
    const id = await aJob();
    await worker.carryOut(1);
    const response = await cancel(id);
    expect([response.status, response.headers['x-should-retry'], response.json()]).toEqual([
      409,
      'false',
      { detail: `Training job '${id}' has succeeded; it cannot be cancelled.`, code: 'job.already_finished' },
    ]);
  });

  it('takes an empty body that calls itself JSON', async () => {
    const response = await app.caller.post(`${JOBS}/${await aJob()}/cancel`, '', {
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(200);
  });

  it('needs a writer, an id, and a job', async () => {
    const id = await aJob();
    const reader = app.by(await app.user('cancel-reader', { roles: { acme: 'reader' } }));
    expect((await reader.post(`${JOBS}/${id}/cancel`)).status).toBe(403);
    expect((await reader.get(`${JOBS}/${id}`)).status).toBe(200);
    expect((await cancel('xyz')).json().detail).toMatchObject([
      { loc: ['path', 'training_job_id'], type: 'uuid_parsing' },
    ]);
    expect((await cancel(UNKNOWN)).json().code).toBe('job.not_found');
  });
});

describe('GET /v1/preview/training-jobs/{id}', () => {
  it('tells what came of a job', async () => {
    await app.sql(`UPDATE training_jobs SET status = 'cancelled' WHERE status = 'queued'`);
    const modelId = await createModel(app.caller);
    const { id } = (await create(modelId)).json();
    await worker.carryOut(2);
    const [checkpoint] = await app.sql<{ id: string }>('SELECT id FROM checkpoints WHERE model_id = $1', [modelId]);
    const response = await app.caller.get(`${JOBS}/${id}`);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toMatchObject({
      status: 'succeeded',
      attempt: 1,
      progress: { gradient_steps_done: 2, gradient_steps_total: 2, fraction: 1, phase: null },
      parent_checkpoint: null,
      produced_checkpoint: { id: checkpoint?.id, step: 1 },
      metrics: { loss: 0.5 },
      error: null,
    });
    await create(modelId);
    await worker.carryOut(0);
    const { data } = (await app.caller.get(`${JOBS}?model_id=${modelId}`)).json();
    expect(data[0]).toMatchObject({
      parent_checkpoint: { id: checkpoint?.id, step: 1 },
      progress: { gradient_steps_total: 0, fraction: 1 },
    });
  });

  it('shows nobody the job of another entity', async () => {
    const { id } = (await create(await createModel(app.caller))).json();
    const stranger = app.by(await app.user('get-stranger'));
    const response = await stranger.get(`${JOBS}/${id}`);
    expect([response.status, response.json()]).toEqual([
      403,
      { detail: 'You have no access to this training job.', code: 'access.denied' },
    ]);
    expect((await stranger.get(`${JOBS}/${UNKNOWN}`)).status).toBe(404);
    expect((await app.caller.get(`${JOBS}/${id.toUpperCase()}/`)).json().id).toBe(id);
  });
});

describe('GET /v1/preview/training-jobs', () => {
  it('pages through the jobs of a model, either way', async () => {
    const modelId = await createModel(app.caller);
    const ids = [];
    for (let at = 0; at < 3; at++) ids.push((await create(modelId)).json().id as string);
    for (const [order, expected] of [
      ['asc', ids],
      ['desc', ids.toReversed()],
    ] as const) {
      const seen: string[] = [];
      let page = { has_more: true, last_id: '' } as { has_more: boolean; last_id: string; data: { id: string }[] };
      while (page.has_more) {
        const query = `model_id=${modelId}&limit=2&order=${order}&after=${page.last_id}`;
        page = (await app.caller.get(`${JOBS}?${query}`)).json();
        seen.push(...page.data.map(({ id }) => id));
      }
      expect(seen).toEqual(expected);
    }
  });

  it('shows each caller the projects that they may read, and no other', async () => {
    const mine = (await create(await createModel(app.caller, { project: 'list-a' }))).json().id as string;
    const other = (await create(await createModel(app.caller, { project: 'list-b' }))).json().id as string;
    const stranger = await app.user('list-stranger');
    expect((await app.by(stranger).get(JOBS)).json()).toEqual({
      object: 'list',
      data: [],
      first_id: '',
      last_id: '',
      has_more: false,
    });
    expect((await app.by(stranger).get(`${JOBS}?after=${mine}`)).status).toBe(422);
    expect((await app.by(stranger).get(`${JOBS}?entity=acme`)).status).toBe(403);
    const idsOf = async (query: string, caller = app.caller) =>
      (await caller.get(`${JOBS}?${query}`)).json().data.map(({ id }: { id: string }) => id);
    expect(await idsOf('entity=acme&project=list-a')).toEqual([mine]);
    expect(await idsOf('project=list-b&status=queued&kind=rl')).toEqual([other]);
    expect(await idsOf('project=list-b&kind=sft')).toEqual([]);
    const bound = await app.user('list-bound', { roles: { acme: 'reader' }, onlyProject: 'acme/list-b' });
    expect(await idsOf('', app.by(bound))).toEqual([other]);
    const admin = app.by(await app.user('list-admin', { isAdmin: true }));
    expect(await idsOf('project=list-a', admin)).toEqual([mine]);
    expect(await idsOf('limit=1', admin)).toEqual([other]);
  });

  it.each([
    ['limit=0', 'limit', 'greater_than_equal'],
    ['limit=101', 'limit', 'less_than_equal'],
    ['limit=x', 'limit', 'int_parsing'],
    ['order=up', 'order', 'enum'],
    ['kind=dpo', 'kind', 'enum'],
    ['status=done', 'status', 'enum'],
    ['model_id=x', 'model_id', 'uuid_parsing'],
    ['after=x', 'after', 'value_error'],
    [`after=${UNKNOWN}`, 'after', 'value_error'],
    ['entity=%00', 'entity', 'string_unicode'],
  ])('refuses ?%s', async (query, name, type) => {
    const response = await app.caller.get(`${JOBS}?${query}`);
    expect([response.status, response.json().detail]).toMatchObject([422, [{ loc: ['query', name], type }]]);
  });

  it('finds nothing for text that looks like SQL', async () => {
    const response = await app.caller.get(`${JOBS}?project=${encodeURIComponent("x' OR '1'='1")}`);
    expect([response.status, response.json().data]).toEqual([200, []]);
  });
});
