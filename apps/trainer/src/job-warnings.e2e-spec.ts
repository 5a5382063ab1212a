import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { someGroups, someLines } from './testing/training-input.fixture.js';

const UNKNOWN = { code: 'config.unknown_key', message: 'No effect.', hint: null, loc: ['config', 'n_epochs'] };

describe('the learning rate of a job', () => {
  let bench: TrainerBench;
  beforeAll(async () => {
    bench = await TrainerBench.start();
    await bench.trainer();
  }, LONG_MS);
  afterAll(() => bench.close());

  async function outcome(id: string) {
    const { status, warnings } = await bench.ended(id);
    const [first, ...others] = await bench.events(id);
    const inEvents = [first?.data['warnings'], ...others.map(({ data }) => data['warnings'] ?? null)];
    return { status, warnings, first: inEvents[0], others: inEvents.slice(1).filter((one) => one !== null) };
  }

  it(
    'is named in the job and its first event when it is far off for the base, after earlier warnings',
    async () => {
      const model = await bench.model();
      const rate = (code: string, from: string, loc: string) => ({
        code,
        message: expect.stringContaining(`learning rate ${from} is far from 0.002`),
        hint: 'Set learning_rate to about 0.002.',
        loc: [loc, 'learning_rate'],
      });
      const lines = someLines(2)
        .map((line) => JSON.stringify(line))
        .join('\n');
      const sft = await bench.job(model, 'sft', { learning_rate: 5e-5 }, lines, { warnings: [UNKNOWN] });
      const warnings = [UNKNOWN, rate('config.learning_rate_low', '0.00005', 'config')];
      expect(await outcome(sft.id)).toEqual({ status: 'succeeded', warnings, first: warnings, others: [] });
      const rl = await bench.rlJob(model, someGroups(1), { learning_rate: 0.5 });
      const high = [rate('config.learning_rate_high', '0.5', 'experimental_config')];
      // The made-up log-probabilities are of no policy, of which its steps warn as well.
      expect(await outcome(rl.id)).toMatchObject({ warnings: expect.arrayContaining(high), first: high, others: [] });
    },
    LONG_MS,
  );

  it(
    'is not mentioned when it suits the base',
    async () => {
      const { id } = await bench.sftJob(await bench.model(), someLines(2), { learning_rate: 2e-3 });
      expect(await outcome(id)).toEqual({ status: 'succeeded', warnings: [], first: undefined, others: [] });
    },
    LONG_MS,
  );

  it(
    'is followed by what the steps show: few tokens decide them, and answers become random',
    async () => {
      const model = await bench.model();
      const config = { learning_rate: 1, max_grad_norm: 1e3, n_epochs: 6, minibatch_size: 64 };
      const { id } = await bench.rlJob(model, someGroups(4), config);
      const { status, warnings } = await bench.ended(id);
      expect(status).toBe('succeeded');
      expect(warnings.map(({ code }) => code)).toContain('training.low_sample_size');
    },
    LONG_MS,
  );

  it(
    'does not matter where all rewards are equal: no step is taken, and the job says so',
    async () => {
      const equal = (someGroups(2) as { trajectories: { reward: number }[] }[]).map(({ trajectories }) => ({
        trajectories: trajectories.map((trajectory) => ({ ...trajectory, reward: 1 })),
      }));
      const { id } = await bench.rlJob(await bench.model(), equal, { learning_rate: 2e-3 });
      const ended = await bench.ended(id);
      expect(ended.numSequences).toBe(0);
      expect(ended.warnings.map(({ code }) => code)).toEqual(['data.equal_rewards']);
      expect(ended.data).toMatchObject({ reward_mean: 1, reward_std_dev: 0, reward_zero_share: 0 });
    },
    LONG_MS,
  );
});
