import { createTestUser, type TestUser, until } from '@hone/testing';
import type { JobDraft, RolloutSettings, TrainingJobRecord } from '@hone/training-jobs';

import { RolloutServices } from './testing/rollout-services.fixture.js';
import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';

const PROMPTS = Array.from({ length: 6 }, (_, number) => ({ prompt: `question ${number}`, expected: 'x' }));
const SETTINGS: RolloutSettings = {
  prompts_url: 'data:,',
  scorers: [{ scorer: 'hone:///owner/project/object/right:v0', criterion: 'passed', weight: 1 }],
  ...{ n: 4, prompts_per_round: 2, rounds: 3, seed: 0, max_cost_usd: null },
  sampling: { temperature: 1, top_p: 1, max_tokens: 16 },
};
const LEARNING = { learning_rate: 1e-3, minibatch_size: 4 };
const LINES = PROMPTS.map((prompt) => JSON.stringify(prompt)).join('\n');

describe('a job that samples its own rollouts', () => {
  let bench: TrainerBench;
  let services: RolloutServices;
  let owner: TestUser;
  beforeEach(async () => {
    services = await RolloutServices.start();
    bench = await TrainerBench.start({ maxFailures: 99 }, services.variables);
    owner = await createTestUser(bench.test.db, 'sampler', { roles: { owner: 'writer' } });
  });
  afterEach(async () => {
    await bench.close();
    await services.close();
  });

  const start = (model: string, settings: Partial<RolloutSettings> = {}, lines = LINES, more: Partial<JobDraft> = {}) =>
    bench.job(model, 'rl', LEARNING, lines, {
      ...{ trainingDataUrl: 'data:,', rollouts: { ...SETTINGS, ...settings }, keyId: owner.keyId },
      ...more,
    });

  const groupsOf = (job: TrainingJobRecord) =>
    bench.test.sql<{ round: number; position: number; sha256: string }>(
      `SELECT round, position, sha256 FROM training_job_groups WHERE job_id = $1 ORDER BY round, position`,
      [job.id],
    );

  it(
    'samples each round from the checkpoint of the one before',
    async () => {
      await bench.trainer();
      const model = await bench.model();
      const job = await bench.ended((await start(model)).id);
      expect(job).toMatchObject({ status: 'succeeded', producedStep: 3, roundsDone: 2, error: null });
      expect(job.data.rollouts).toMatchObject({
        ...{ prompts: 6, answers: 24, graded: 24, failures: {}, rounds: 3, costNanoUsd: 6_000_000 },
        lastRewardMean: 0.5,
      });
      expect(job.data).toMatchObject({ groups_submitted: 6, groups_trainable: 6, trajectories: 24 });
      const steps = services.asked.map(({ body }) => body.model.slice(body.model.lastIndexOf(':') + 1));
      expect(steps).toEqual(['step0', 'step0', 'step1', 'step1', 'step2', 'step2']);
      const asked = services.asked.map(({ body }) => body.messages[0]?.content).sort();
      expect(asked).toEqual(PROMPTS.map(({ prompt }) => prompt));
      const events = await bench.events(job.id);
      expect(events.map(({ type }) => type)).toEqual([
        'training_started',
        ...Array(job.stepsDone).fill('gradient_step'),
        'training_ended',
      ]);
      expect(events[1]?.data).toMatchObject({
        ...{
          'rollouts/round': 1,
          'rollouts/reward_mean': 0.5,
          'rollouts/groups_used': 2,
          'rollouts/groups_skipped': 0,
        },
        ...{ 'rollouts/failed_share': 0, 'rollouts/cost_usd': 0.002 },
      });
    },
    LONG_MS,
  );

  it(
    'is killed while it samples: what was settled is not sampled again, and the bytes are the same',
    async () => {
      await bench.trainer();
      const expected = await bench.model();
      const quiet = await bench.ended((await start(expected)).id);
      const asked = services.asked.length;

      const model = await bench.model();
      const hung = new Set<string>();
      // The second prompt of each round gets no answer the first time.
      services.fault = ({ requestId }) => {
        const group = requestId.split('.').slice(1, 4).join('.');
        if (!group.endsWith('.1') || hung.has(group)) return null;
        hung.add(group);
        return 'hang';
      };
      const { id } = await start(model);
      for (let round = 0; round < 3; round++) {
        const settled = 2 * round + 1;
        await until(
          async () => (await groupsOf(await bench.find(id))).length >= settled && hung.size > round,
          'a group',
        );
        const next = bench.trainer();
        await bench.holderOf(await bench.find(id)).stop('SIGKILL');
        await bench.expireLease(id);
        await next;
      }
      const job = await bench.ended(id);
      expect(job).toMatchObject({ status: 'succeeded', attempt: 4, producedStep: 3 });
      expect(await groupsOf(job)).toHaveLength(6);
      // One more request for each answer that was lost with its worker.
      expect(services.asked.length - asked).toBe(asked + 3);
      for (const step of [1, 2, 3]) expect(await bench.hashes(model, step)).toEqual(await bench.hashes(expected, step));
      expect(job.data.rollouts).toEqual(quiet.data.rollouts);
    },
    LONG_MS,
  );

  it(
    'is killed amid the gradient steps of a round: nothing is sampled again, and the bytes are the same',
    async () => {
      const rowByRow = { ...LEARNING, minibatch_size: 1 };
      await bench.trainer();
      const expected = await bench.model();
      const quiet = await bench.ended((await start(expected, { rounds: 1 }, LINES, { config: rowByRow })).id);
      const [asked, graded] = [services.asked.length, services.graded];

      const model = await bench.model();
      const { id } = await start(model, { rounds: 1 }, LINES, { config: rowByRow });
      const next = bench.trainer();
      const job = await bench.until(id, ({ stepsDone, status }) => stepsDone > 1 || status === 'succeeded');
      if (job.status !== 'succeeded') {
        await bench.holderOf(job).stop('SIGKILL');
        if ((await bench.find(id)).status !== 'succeeded') await bench.expireLease(id);
      }
      await next;
      const ended = await bench.ended(id);
      expect(ended).toMatchObject({ status: 'succeeded', stepsDone: 8, producedStep: 1 });
      expect([services.asked.length, services.graded]).toEqual([2 * asked, 2 * graded]);
      expect(await bench.hashes(model, 1)).toEqual(await bench.hashes(expected, 1));
      expect(ended.tokens).toEqual(quiet.tokens);
    },
    LONG_MS,
  );

  it(
    'ends on its budget with what it has learned',
    async () => {
      await bench.trainer();
      const job = await bench.ended((await start(await bench.model(), { max_cost_usd: 0.003 })).id);
      expect(job).toMatchObject({ status: 'succeeded', producedStep: 2 });
      expect(job.data.rollouts).toMatchObject({ prompts: 4, costNanoUsd: 4_000_000 });
      expect(job.warnings.map(({ code }) => code)).toContain('rollouts.budget_spent');
    },
    LONG_MS,
  );

  it(
    'leaves out answers without a verdict, by name, and rounds whose answers are all alike',
    async () => {
      services.reward = (output) => (output.endsWith(' 3') ? 'judge_answered_nonsense' : 1);
      await bench.trainer();
      const model = await bench.model();
      const job = await bench.ended((await start(model)).id);
      expect(job).toMatchObject({ status: 'succeeded', stepsDone: 0, producedStep: 1 });
      expect(job.data.rollouts).toMatchObject({ answers: 24, graded: 18, failures: { judge_answered_nonsense: 6 } });
      expect(job.data).toMatchObject({ groups_trainable: 0, trajectories: 18, dropped: { zero_advantage: 18 } });
    },
    LONG_MS,
  );

  it(
    'fails with the reason where it cannot go on',
    async () => {
      await bench.trainer();
      const failure = async (settings: Partial<RolloutSettings> = {}, lines = LINES) =>
        (await bench.ended((await start(await bench.model(), settings, lines)).id)).error?.code;

      services.fault = () => ({ status: 402, code: 'budget_exceeded' });
      expect(await failure()).toBe('rollouts.refused');
      services.fault = () => ({ status: 400, code: 'context_length_exceeded' });
      expect(await failure()).toBe('rollouts.nothing_sampled');
      services.fault = () => null;
      services.reward = () => 'judge_answered_nonsense';
      expect(await failure()).toBe('rollouts.nothing_graded');
      expect(await failure({}, '{"prompt":1}')).toBe('data.bad_line');
      expect(await failure({}, '\n')).toBe('data.empty');
    },
    LONG_MS,
  );

  it(
    'fails once its key is revoked, and keeps the rounds that are done',
    async () => {
      services.fault = ({ requestId }) => (requestId.split('.')[2] === '1' ? 'hang' : null);
      await bench.trainer();
      const model = await bench.model();
      const { id } = await start(model);
      await until(() => services.asked.length > 2, 'the second round');
      await bench.test.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [owner.keyId]);
      await bench.holderOf(await bench.find(id)).stop('SIGKILL');
      await bench.expireLease(id);
      await bench.trainer();
      const job = await bench.ended(id);
      expect(job.error).toMatchObject({ code: 'rollouts.key_ended', retryable: false });
      expect(await bench.checkpoint(model, 1)).toMatchObject({ jobId: id });
    },
    LONG_MS,
  );
});
