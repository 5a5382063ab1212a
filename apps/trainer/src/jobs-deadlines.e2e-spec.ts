import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups } from './testing/training-input.fixture.js';

describe('a job ends by its deadline', () => {
  let bench: TrainerBench;
  afterEach(() => bench.close());

  it(
    'without any worker',
    async () => {
      bench = await TrainerBench.start({ queueDeadlineSeconds: 0.3 });
      const { id } = await bench.rlJob(await bench.model(), someGroups(1));
      expect(await bench.ended(id)).toMatchObject({
        status: 'failed',
        attempt: 0,
        error: { code: 'job.queue_timeout', retryable: true },
      });
      expect((await bench.events(id)).map(({ type }) => type)).toEqual(['training_failed']);
    },
    LONG_MS,
  );

  it(
    'while it trains, and the next one begins',
    async () => {
      bench = await TrainerBench.start({ heartbeatSeconds: 0.3 });
      await bench.trainer();
      const model = await bench.model();
      const { id } = await bench.rlJob(model, someGroups(2_000), ONE_BY_ONE);
      const next = await bench.rlJob(model, someGroups(1), ONE_BY_ONE);
      await bench.until(id, ({ stepsDone }) => stepsDone >= 3);
      await bench.test.sql(`UPDATE training_jobs SET run_deadline_at = now() - interval '1 second' WHERE id = $1`, [
        id,
      ]);
      expect(await bench.ended(id)).toMatchObject({ status: 'failed', error: { code: 'job.run_timeout' } });
      expect(await bench.ended(next.id)).toMatchObject({ status: 'succeeded', parentStep: 0 });
    },
    LONG_MS,
  );
});
