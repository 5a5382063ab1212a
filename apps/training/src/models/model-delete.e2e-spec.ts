import type { TestClient } from '@hone/testing';

import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { addCheckpoints, addJob, createModel, MODELS } from './model.fixture.js';

describe('DELETE /v1/preview/models/{model_id}', () => {
  let training: TrainingApp;
  let caller: TestClient;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  afterAll(() => training.close());

  const rows = (table: string, modelId: string) =>
    training.sql(`SELECT 1 FROM ${table} WHERE model_id = $1 AND deleted_at IS NULL`, [modelId]);

  it('takes all that belongs to it, and frees the name', async () => {
    const id = await createModel(caller, { name: 'doomed' });
    await addCheckpoints(training, id, [1, 2, 3]);
    await caller.post(`${MODELS}/${id}/log`, { split: 'val', trajectory_groups: [{ trajectories: [{ reward: 1 }] }] });
    const { status, json } = await caller.delete(`${MODELS}/${id}`);
    expect([status, json()]).toEqual([200, { model_id: id, deleted_checkpoints: 3, deleted_run: true }]);
    for (const table of ['checkpoints', 'training_runs']) expect(await rows(table, id)).toEqual([]);
    for (const table of ['log_batches', 'metric_sums']) {
      expect(await training.sql(`SELECT 1 FROM ${table} WHERE model_id = $1`, [id])).toEqual([]);
    }
    const paths = ['', '/checkpoints', '/checkpoints/1', '/trajectories'].map((path) => `${MODELS}/${id}${path}`);
    for (const path of paths) expect((await caller.get(path)).json().code).toBe('model.not_found');
    expect((await caller.delete(`${MODELS}/${id}`)).json().code).toBe('model.not_found');
    const again = await createModel(caller, { name: 'doomed' });
    expect(again).not.toBe(id);
    expect((await caller.get(`${MODELS}/${again}/checkpoints`)).json().data).toEqual([]);
  });

  it('takes a JSON content type with an empty body', async () => {
    const id = await createModel(caller);
    const headers = { 'content-type': 'application/json' };
    expect((await caller.delete(`${MODELS}/${id}`, undefined, { headers })).status).toBe(200);
    expect((await caller.delete(`${MODELS}/${id}`, '', { headers })).status).toBe(404);
    expect((await caller.delete(`${MODELS}/xyz`, '', { headers })).status).toBe(422);
  });

  it('cancels its jobs, queued and running, each with its last event', async () => {
    const id = await createModel(caller);
    const jobs = [await addJob(training, id, 'running'), await addJob(training, id)];
    await caller.delete(`${MODELS}/${id}`);
    const ended = await training.sql(
      `SELECT j.id, j.status, j.lease_owner, e.type, e.data->>'code' AS code FROM training_jobs j
       JOIN training_job_events e ON e.project_id = j.project_id AND e.job_id = j.id WHERE j.model_id = $1 ORDER BY j.ordinal`,
      [id],
    );
    expect(ended).toEqual(
      jobs.map((job) => ({
        id: job,
        status: 'cancelled',
        lease_owner: null,
        type: 'training_failed',
        code: 'job.model_deleted',
      })),
    );
  });

  it('happens once, however often it is asked for at once', async () => {
    const id = await createModel(caller);
    const answers = await Promise.all(Array.from({ length: 10 }, () => caller.delete(`${MODELS}/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
  });
});
