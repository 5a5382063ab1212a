import { findBrokenInvariants, LeaseLostError } from '@hone/training-jobs';

import { createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { FakeWorker } from './fake-worker.fixture.js';

const JOBS = '/v1/preview/training-jobs';

describe('jobs of a model that changes meanwhile', () => {
  let app: TrainingApp;
  let worker: FakeWorker;
  beforeAll(async () => {
    app = await startTrainingApp();
    worker = new FakeWorker(app.db);
  });
  afterAll(async () => {
    expect(await findBrokenInvariants(app.db)).toEqual([]);
    await app.close();
  });

  const create = async (modelId: string): Promise<string> =>
    (await app.caller.post(JOBS, { model_id: modelId, trajectory_groups: [] })).json().id;
  const job = async (id: string) => (await app.caller.get(`${JOBS}/${id}`)).json();
  const checkpoints = async (modelId: string): Promise<{ id: string; step: number }[]> =>
    (await app.caller.get(`${MODELS}/${modelId}/checkpoints`)).json().data;
  const trained = async (modelId: string) => {
    const id = await create(modelId);
    await worker.carryOut(1);
    return job(id);
  };

  it('give a fresh step after the latest was deleted, trained from the one that is left', async () => {
    const modelId = await createModel(app.caller);
    const first = await trained(modelId);
    await trained(modelId);
    await app.caller.delete(`${MODELS}/${modelId}/checkpoints`, { steps: [2] });
    const third = await trained(modelId);
    expect(third).toMatchObject({ parent_checkpoint: first.produced_checkpoint, produced_checkpoint: { step: 3 } });
    expect((await checkpoints(modelId)).map(({ step }) => step)).toEqual([1, 3]);
    await app.caller.delete(`${MODELS}/${modelId}/checkpoints`, { steps: [1, 3] });
    expect(await trained(modelId)).toMatchObject({ parent_checkpoint: null, produced_checkpoint: { step: 4 } });
  });

  it('end with the model, and their worker can neither go on nor commit', async () => {
    const name = 'doomed';
    const modelId = await createModel(app.caller, { name });
    await trained(modelId);
    const [running, queued] = [await create(modelId), await create(modelId)];
    const lease = await worker.start(2);
    await worker.step(lease, 1);
    expect((await app.caller.delete(`${MODELS}/${modelId}`)).json()).toMatchObject({ deleted_checkpoints: 1 });
    for (const id of [running, queued]) {
      expect(await job(id)).toMatchObject({ status: 'cancelled', error: { code: 'job.model_deleted' } });
      const { data } = (await app.caller.get(`${JOBS}/${id}/events`)).json();
      expect(data.at(-1)).toMatchObject({ type: 'training_failed', data: { code: 'job.model_deleted' } });
    }
    await expect(worker.step(lease, 2)).rejects.toThrow(LeaseLostError);
    await expect(worker.commit(lease)).rejects.toThrow(LeaseLostError);
    await expect(worker.lease.heartbeat(lease, 'training')).rejects.toThrow(LeaseLostError);
    expect(await worker.lease.claim('worker')).toBeNull();
    const again = await createModel(app.caller, { name });
    expect(again).not.toBe(modelId);
    expect(await checkpoints(again)).toEqual([]);
    expect(await trained(again)).toMatchObject({ parent_checkpoint: null, produced_checkpoint: { step: 1 } });
  });

  it('commit or end with the model, whichever comes first', async () => {
    for (let round = 0; round < 20; round++) {
      const modelId = await createModel(app.caller);
      const id = await create(modelId);
      const lease = await worker.start(0);
      const [committed, { deleted_checkpoints }] = await Promise.all([
        worker.commit(lease).then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(LeaseLostError);
            return false;
          },
        ),
        app.caller.delete(`${MODELS}/${modelId}`).then(({ json }) => json()),
      ]);
      expect(deleted_checkpoints).toBe(committed ? 1 : 0);
      expect((await job(id)).status).toBe(committed ? 'succeeded' : 'cancelled');
    }
  });
});
