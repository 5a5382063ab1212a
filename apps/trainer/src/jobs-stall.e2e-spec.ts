import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@hone/testing';

import { engineOf, isThere } from './testing/child-processes.fixture.js';
import { TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups } from './testing/training-input.fixture.js';

describe('a job whose engine hangs', () => {
  let bench: TrainerBench;
  afterEach(() => bench.close());

  it('is tried again, then fails; the worker ends each engine and is free for others', async () => {
    bench = await TrainerBench.start({ heartbeatSeconds: 0.3, maxFailures: 2 });
    const { child } = await bench.trainer();
    const { id } = await bench.rlJob(await bench.model(), someGroups(1_000), ONE_BY_ONE);
    const next = await bench.rlJob(await bench.model(), someGroups(1), ONE_BY_ONE);
    for (let round = 1; round <= 2; round++) {
      await bench.until(id, ({ attempt, status }) => attempt === round && status === 'running');
      const engine = await until(() => engineOf(child.pid as number), 'an engine');
      process.kill(engine, 'SIGSTOP');
      // A report of a step may still be on its way.
      while ((await bench.find(id)).failures < round) {
        await bench.test.sql(
          `UPDATE training_jobs SET last_step_at = now() - interval '1 day', available_at = now() - interval '1 second'
           WHERE id = $1 AND attempt = $2`,
          [id, round],
        );
        await sleep(20);
      }
      await until(async () => !(await isThere(engine)), 'the end of the engine');
    }
    const error = { code: 'engine.stalled', retryable: true };
    expect(await bench.ended(id)).toMatchObject({ status: 'failed', attempt: 2, failures: 2, error });
    expect((await bench.events(id)).filter(({ type }) => type !== 'gradient_step').map(({ type }) => type)).toEqual([
      'training_started',
      'training_failed',
    ]);
    expect(await bench.ended(next.id)).toMatchObject({ status: 'succeeded', failures: 0 });
  }, 300_000);
});
