import { TrainerBench } from '../testing/trainer-bench.fixture.js';
import { longGroups, someLines } from '../testing/training-input.fixture.js';

/** Tokens that the base takes in one sequence, and of the prompts: answers are cut. */
const [CONTEXT, PROMPT] = [1_024, 3];

describe('planning of a large input', () => {
  let bench: TrainerBench;
  beforeAll(async () => {
    bench = await TrainerBench.start({ leaseSeconds: 20, heartbeatSeconds: 0.2 });
    await bench.trainer();
  });
  afterAll(() => bench.close());

  it('goes on beside the heartbeats, and keeps its lease', async () => {
    const { id, createdBy } = await bench.rlJob(await bench.model(), longGroups(60, 2_000));
    const { input } = await bench.find(id);
    expect(input?.bytes).toBeGreaterThan(8_000_000);
    const ends = new Set<number>();
    const planned = await bench.until(id, ({ status, leaseExpiresAt }) => {
      if (status === 'preparing') ends.add(leaseExpiresAt?.getTime() ?? 0);
      return status === 'running';
    });
    expect(planned).toMatchObject({ attempt: 1, failures: 0, tokens: { trainable: 60 * 2 * (CONTEXT - PROMPT) } });
    expect(ends.size).toBeGreaterThan(2);
    await bench.control.cancelJob(id, createdBy);
    expect(await bench.ended(id)).toMatchObject({ status: 'cancelled' });
  }, 300_000);

  it('shows that lines get done, so that it is not taken for a stall', async () => {
    const { id, createdBy } = await bench.sftJob(await bench.model(), someLines(40_000), { batch_size: 4_096 });
    const signs = new Set<number>();
    while (signs.size < 2 && ['queued', 'preparing'].includes((await bench.find(id)).status)) {
      const [row] = await bench.test.sql<{ at: Date | null }>(
        `SELECT last_step_at AS at FROM training_jobs WHERE id = $1 AND status = 'preparing'`,
        [id],
      );
      if (row?.at) signs.add(row.at.getTime());
    }
    expect(signs.size).toBe(2);
    await bench.control.cancelJob(id, createdBy);
    expect(await bench.ended(id)).toMatchObject({ status: 'cancelled' });
  }, 300_000);
});
