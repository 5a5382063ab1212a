import { jest } from '@jest/globals';

import { FakeWorker } from '../jobs/fake-worker.fixture.js';
import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

let app: TrainingApp;
/** How far the clock of the service is ahead: it remembers a check for two seconds. */
let aheadMs = 0;
beforeAll(async () => {
  const realNow = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + aheadMs);
  app = await startTrainingApp({}, {}, { isOwn: true });
});
beforeEach(async () => {
  aheadMs += 3_000;
  await app.sql('DELETE FROM workers');
});
afterAll(() => app.close());

const addWorker = (id: string, engines: string[], secondsAgo: number) =>
  app.sql(
    `INSERT INTO workers (id, host, version, engines, seen_at)
     VALUES ($1, 'here', '0', $2, now() - make_interval(secs => $3))`,
    [id, engines, secondsAgo],
  );
const CHECK = '/v1/system-check';
const WELL = {
  api: true,
  database: true,
  cpu_queue: { success: true, duration: expect.any(Number), errors: [] },
  gpu_queue: { success: true, duration: 0, errors: [], configured: false },
  engines: [{ name: 'embedded', kind: 'embedded', reachable: true, models: null }],
};

describe('GET /v1/health', () => {
  it('reports that the service is up to every valid key', async () => {
    const stranger = app.by(await app.user('health', { scopes: ['trace'] }));
    expect((await stranger.get('/v1/health')).json()).toEqual({ status: 'ok', version: '0.1.0' });
    for (const credentials of [undefined, 'Bearer x', `Basic ${Buffer.from('api:x').toString('base64')}`]) {
      const response = await app.as(credentials).get('/v1/health');
      expect(response.headers['www-authenticate']).toBe('Bearer realm="hone"');
      expect(response.status).toBe(401);
    }
  });
});

describe('GET /v1/system-check', () => {
  it('is 200 while a worker sends heartbeats, and leaves the queue as it was', async () => {
    await addWorker('live', ['embedded'], 1);
    const modelId = await createModel(app.caller);
    const { id } = (
      await app.caller.post('/v1/preview/training-jobs', { model_id: modelId, trajectory_groups: [] })
    ).json();
    const response = await app.caller.get(CHECK);
    expect(response.json()).toEqual(WELL);
    expect(response.status).toBe(200);
    expect((await app.caller.get(`/v1/preview/training-jobs/${id}`)).json()).toMatchObject({
      status: 'queued',
      attempt: 0,
    });
    expect((await new FakeWorker(app.db).claim()).job.id).toBe(id);
  });

  it.each([
    ['none has ever sent a heartbeat', []],
    ['the last heartbeat was 20 s ago', [['gone', ['embedded'], 20] as const]],
    ['there is one of another kind', [['other', ['ray'], 0] as const]],
  ])('is 503 with the same body when %s', async (_, workers) => {
    for (const [id, engines, secondsAgo] of workers) await addWorker(id, [...engines], secondsAgo);
    const response = await app.caller.get(CHECK);
    const errors = ['No trainer was heard of in the last 15 s.'];
    expect(response.json()).toEqual({
      ...WELL,
      engines: [{ ...WELL.engines[0], reachable: false }],
      cpu_queue: { success: false, duration: expect.any(Number), errors },
    });
    expect(response.status).toBe(503);
    expect((await app.caller.get('/v1/health')).status).toBe(200);
  });

  it('asks once for all who ask within two seconds', async () => {
    const first = await app.caller.get(CHECK);
    await addWorker('late', ['embedded'], 0);
    expect((await app.caller.get(CHECK)).text).toBe(first.text);
  });
});
