import { until } from '@hone/testing';

import { TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups } from './testing/training-input.fixture.js';

describe('a worker that is killed at the end of its job', () => {
  let bench: TrainerBench;
  afterEach(() => bench.close());

  async function foldersOf(modelId: string): Promise<string[]> {
    const folders: string[] = [];
    for await (const { uri } of bench.store.list(`models/${modelId}`)) folders.push(uri);
    return folders;
  }

  it('after its checkpoint was stored, before it was committed, leaves a folder that no row names', async () => {
    bench = await TrainerBench.start({ maxFailures: 99 });
    await bench.trainer();
    const model = await bench.model();
    const { id } = await bench.rlJob(model, someGroups(4), ONE_BY_ONE);
    await bench.until(id, ({ stepsDone }) => stepsDone >= 1);
    await bench.database.transaction(async () => {
      // The commit needs the model's row, and waits for us.
      await bench.database.client.$queryRaw`SELECT 1 FROM trainable_models WHERE id = ${model}::uuid FOR UPDATE`;
      await until(async () => (await foldersOf(model)).length > 0, 'a stored checkpoint', 240_000);
      await bench.holderOf(await bench.find(id)).stop('SIGKILL');
    });
    expect(await bench.test.sql('SELECT 1 FROM checkpoints')).toEqual([]);
    const [orphan] = await foldersOf(model);
    await bench.expireLease(id);
    await bench.trainer();
    expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', attempt: 2 });
    const { uri, step } = await bench.checkpoint(model, 1);
    expect([step, uri === orphan, await foldersOf(model)]).toEqual([1, false, expect.arrayContaining([uri, orphan])]);
  }, 300_000);

  it('after the commit, repeats nothing', async () => {
    bench = await TrainerBench.start();
    const trainer = await bench.trainer();
    const model = await bench.model();
    const { id } = await bench.rlJob(model, someGroups(2), ONE_BY_ONE);
    await bench.ended(id);
    await trainer.stop('SIGKILL');
    await bench.trainer();
    // A job of the same model runs only when no other one of it is open.
    const next = await bench.rlJob(model, someGroups(2), ONE_BY_ONE);
    expect(await bench.ended(next.id)).toMatchObject({ status: 'succeeded', producedStep: 2 });
    expect(await bench.find(id)).toMatchObject({ status: 'succeeded', attempt: 1, producedStep: 1 });
  }, 300_000);
});
