import { findBrokenInvariants } from './broken-invariants.repository.js';
import { ParentStepNotFoundError } from './lease.js';
import { TrainingBench } from './training-bench.fixture.js';

describe('where a job starts', () => {
  let bench: TrainingBench;
  beforeAll(async () => {
    bench = await TrainingBench.start();
  });
  afterAll(async () => {
    expect(await findBrokenInvariants(bench.database)).toEqual([]);
    await bench.close();
  });

  async function modelWithSteps(count: number) {
    const model = await bench.model();
    for (let step = 1; step <= count; step++) {
      await bench.job(model);
      await bench.carryOut((await bench.claimed()).lease);
    }
    return model;
  }
  async function forked(model: Awaited<ReturnType<typeof modelWithSteps>>, parentStep: number) {
    await bench.job(model, { parentStep });
    return (await bench.claimed()).lease;
  }

  it('is the checkpoint that it names; what it makes is the next step all the same', async () => {
    const model = await modelWithSteps(3);
    const lease = await forked(model, 1);
    const { parent } = await bench.checkpoints.fixStart(lease, null, 1);
    expect(parent?.step).toBe(1);
    // A later attempt starts there too, deleted or not.
    await bench.test.sql('UPDATE checkpoints SET deleted_at = now() WHERE step = 1');
    expect(await bench.checkpoints.fixStart(lease, null, 1)).toMatchObject({ parent });
    expect(await bench.carryOut(lease)).toBe(4);
    const rows = await bench.test.sql('SELECT parent_step, parent_id FROM checkpoints WHERE job_id = $1', [
      lease.jobId,
    ]);
    expect(rows).toEqual([{ parent_step: 1, parent_id: parent?.id }]);
  });

  it('is the base for step 0', async () => {
    const lease = await forked(await modelWithSteps(1), 0);
    expect(await bench.checkpoints.fixStart(lease, null, 0)).toEqual({ parent: null, reference: null });
    expect(await bench.carryOut(lease)).toBe(2);
    expect(await bench.find(lease.jobId)).toMatchObject({ parentId: null, parentStep: 0, producedStep: 2 });
  });

  it('measures a lag from the checkpoint that it names', async () => {
    const lease = await forked(await modelWithSteps(3), 2);
    const { reference } = await bench.checkpoints.fixStart(lease, { lag: 1 }, 2);
    expect(reference?.step).toBe(1);
    expect(await bench.carryOut(lease)).toBe(4);
  });

  it('must be there when the job is made, and still when it begins', async () => {
    const model = await modelWithSteps(1);
    for (const parentStep of [2, 2_147_483_647]) {
      await expect(bench.job(model, { parentStep })).rejects.toThrow('no_parent');
    }
    await expect(bench.job(await bench.model(), { parentStep: 1 })).rejects.toThrow('no_parent');
    const lease = await forked(model, 1);
    await bench.test.sql('UPDATE checkpoints SET deleted_at = now() WHERE model_id = $1', [model.id]);
    await expect(bench.checkpoints.fixStart(lease, null, 1)).rejects.toThrow(ParentStepNotFoundError);
    await expect(bench.job(model, { parentStep: 1 })).rejects.toThrow('no_parent');
  });
});
