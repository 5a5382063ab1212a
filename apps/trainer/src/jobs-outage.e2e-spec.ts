import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@hone/testing';

import { childrenOf } from './testing/child-processes.fixture.js';
import { Relay } from './testing/relay.fixture.js';
import { TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups } from './testing/training-input.fixture.js';

describe('a job whose worker loses the database', () => {
  let bench: TrainerBench;
  let relay: Relay;
  afterEach(async () => {
    await bench.close();
    await relay.cut();
  });

  it('for a moment goes on', async () => {
    bench = await TrainerBench.start();
    relay = await Relay.to(bench.test.url);
    await bench.trainer({ DATABASE_URL: relay.url });
    const { id } = await bench.rlJob(await bench.model(), someGroups(100), ONE_BY_ONE);
    for (const steps of [5, 60]) {
      await bench.until(id, ({ stepsDone }) => stepsDone >= steps);
      await relay.cut();
      await sleep(1_000);
      await relay.mend();
    }
    expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', attempt: 1, failures: 0, stepsDone: 200 });
  }, 300_000);

  it('for good is taken from it: it stops its engine by itself, and goes on when it is allowed to', async () => {
    bench = await TrainerBench.start({ leaseSeconds: 2, heartbeatSeconds: 0.3 });
    relay = await Relay.to(bench.test.url);
    const { child } = await bench.trainer({ DATABASE_URL: relay.url });
    const { id } = await bench.rlJob(await bench.model(), someGroups(500), ONE_BY_ONE);
    await bench.until(id, ({ stepsDone }) => stepsDone >= 12);
    expect(await childrenOf(child.pid as number)).toHaveLength(1);
    await relay.cut();
    await until(async () => (await childrenOf(child.pid as number)).length === 0, 'the end of the engine');
    await bench.until(id, ({ status, failures }) => status === 'queued' && failures === 1);
    await relay.mend();
    const job = await bench.until(id, ({ attempt, status }) => attempt === 2 && status === 'running');
    expect(job.resume?.step).toBeGreaterThanOrEqual(10);
    await bench.control.cancelJob(id, job.createdBy);
    expect(await bench.ended(id)).toMatchObject({ status: 'cancelled' });
  }, 300_000);
});
