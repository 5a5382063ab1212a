import { CHECKPOINTS_CHANNEL, NotificationListener } from '@hone/database';
import { until } from '@hone/testing';

import { findBrokenInvariants } from './broken-invariants.repository.js';
import { LeaseLostError } from './lease.js';
import { aCheckpoint, BROKEN, TrainingBench } from './training-bench.fixture.js';

describe('the checkpoints that a job makes on the way', () => {
  let bench: TrainingBench;
  beforeAll(async () => {
    bench = await TrainingBench.start();
  });
  afterAll(async () => {
    expect(await findBrokenInvariants(bench.database)).toEqual([]);
    await bench.close();
  });

  const stepsOf = (modelId: string) =>
    bench.test.sql('SELECT step, gradient_step, parent_step FROM checkpoints WHERE model_id = $1 ORDER BY step', [
      modelId,
    ]);

  it('are steps of the model, and tell gateways; the one at the end is the last', async () => {
    const messages: string[] = [];
    const listener = new NotificationListener(bench.test.url);
    await listener.listen(CHECKPOINTS_CHANNEL, (payload) => messages.push(payload));
    const lease = await bench.running(4);
    await bench.steps(lease, 4);
    expect(await bench.checkpoints.addIntermediate(lease, 2, aCheckpoint())).toEqual({ step: 1 });
    expect(await bench.checkpoints.addIntermediate(lease, 3, aCheckpoint())).toEqual({ step: 2 });
    expect(await bench.checkpoints.commit(lease, aCheckpoint())).toEqual({ step: 3 });
    expect(await bench.find(lease.jobId)).toMatchObject({ status: 'succeeded', producedStep: 3 });
    expect(await stepsOf(lease.modelId)).toEqual([
      { step: 1, gradient_step: 2, parent_step: 0 },
      { step: 2, gradient_step: 3, parent_step: 0 },
      { step: 3, gradient_step: 4, parent_step: 0 },
    ]);
    await until(async () => messages.length === 3, 'three notifications');
    await listener.close();
  });

  it('are made once, however many attempts the job takes, also when one is deleted in between', async () => {
    const first = await bench.running(3);
    await bench.steps(first, 2);
    expect(await bench.checkpoints.addIntermediate(first, 1, aCheckpoint())).toEqual({ step: 1 });
    expect(await bench.checkpoints.addIntermediate(first, 1, aCheckpoint())).toBeNull();
    await bench.test.sql('UPDATE checkpoints SET deleted_at = now() WHERE job_id = $1', [first.jobId]);
    await bench.lease.drain(first);
    const { lease } = await bench.claimed();
    await bench.plan(lease, 3);
    expect(await bench.checkpoints.addIntermediate(lease, 1, aCheckpoint())).toBeNull();
    await expect(bench.checkpoints.addIntermediate(first, 2, aCheckpoint())).rejects.toThrow(LeaseLostError);
    expect(await bench.checkpoints.addIntermediate(lease, 2, aCheckpoint())).toEqual({ step: 2 });
    await bench.lease.fail(lease, BROKEN);
    expect((await stepsOf(lease.modelId)).map(({ step }) => step)).toEqual([1, 2]);
  });

  it('are refused for steps that are not made yet, and for the last', async () => {
    const lease = await bench.running(2);
    await expect(bench.checkpoints.addIntermediate(lease, 1, aCheckpoint())).rejects.toThrow('no checkpoint at step 1');
    await bench.steps(lease, 2);
    await expect(bench.checkpoints.addIntermediate(lease, 2, aCheckpoint())).rejects.toThrow('no checkpoint at step 2');
  });

  it('stay when the job is cancelled; none is added after that, or to a deleted model', async () => {
    const lease = await bench.running(3);
    await bench.steps(lease, 2);
    await bench.checkpoints.addIntermediate(lease, 1, aCheckpoint());
    await bench.control.cancelJob(lease.jobId, bench.userId);
    await expect(bench.checkpoints.addIntermediate(lease, 2, aCheckpoint())).rejects.toThrow(LeaseLostError);
    await bench.lease.cancelSeen(lease);
    expect(await stepsOf(lease.modelId)).toHaveLength(1);
    await bench.job({ id: lease.modelId, projectId: lease.projectId });
    const next = (await bench.claimed()).lease;
    expect((await bench.checkpoints.fixStart(next, null)).parent?.step).toBe(1);
    expect(await bench.carryOut(next)).toBe(2);
    const other = await bench.running(3);
    await bench.steps(other, 1);
    await bench.test.sql('UPDATE trainable_models SET deleted_at = now() WHERE id = $1', [other.modelId]);
    await expect(bench.checkpoints.addIntermediate(other, 1, aCheckpoint())).rejects.toThrow(LeaseLostError);
  });

  it('have the means of the steps up to then', async () => {
    const lease = await bench.running(4);
    await bench.steps(lease, 4);
    expect(await bench.lease.findStepMeans(lease, 3)).toEqual({ loss: 2 });
    expect(await bench.lease.findStepMeans(lease)).toEqual({ loss: 2.5 });
  });
});
