import { until } from '@hone/testing';
import { findBrokenInvariants } from '@hone/training-jobs';

import { runArtClient, type Stack, startStack } from './stack.fixture.js';

const LIMIT_MS = 240_000;

interface Round {
  stepBefore: number;
  stepAfter: number;
  jobId: string;
  rewards: number[];
  numSequences: number;
  steps: Record<string, number>[];
  ended: { step: number; checkpoint_id: string; num_gradient_steps: number };
  logged: { trajectory_groups: number; trajectories: number };
}

interface Seen {
  model: { id: string; entity: string; project: string };
  ref: string;
  rounds: Round[];
  checkpoints: { id: string; step: number; metrics: Record<string, number> }[];
}

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
}, LIMIT_MS);
afterAll(() => stack.close(), LIMIT_MS);

describe('a client that behaves as ART does, against the whole stack', () => {
  it(
    'samples, trains, follows the events, reads the new step, and goes round again',
    async () => {
      const gateway = await stack.start('inference-gateway');
      await stack.start('trainer');
      const seen = await runArtClient<Seen>(stack.key, {
        trainingUrl: `${stack.training.url}/v1`,
        inferenceUrl: `${gateway.url}/v1`,
        words: ['cat', 'dog', 'sun', 'red'],
        rounds: 3,
        trainingConfig: { learning_rate: 1e-4, loss_fn: 'cispo', ppo: null, kl_penalty_coef: null },
      });
      expect(seen.model).toMatchObject({ entity: 'local', project: 'art' });
      expect(seen.checkpoints.map(({ step }) => step)).toEqual([1, 2, 3]);
      for (const [at, round] of seen.rounds.entries()) {
        expect(round).toMatchObject({
          stepBefore: at,
          stepAfter: at + 1,
          ended: { step: at + 1, checkpoint_id: seen.checkpoints[at]?.id, num_gradient_steps: round.numSequences },
          logged: { trajectory_groups: 4, trajectories: 32 },
        });
        expect(round.steps).toHaveLength(round.numSequences);
        // Rollouts of the very checkpoint that is trained: the policy has not moved away from them.
        for (const step of round.steps) {
          expect(step['offpolicy/staleness']).toBe(0);
          expect(step['offpolicy/ratio_mean']).toBeCloseTo(1, 4);
        }
        const mean = round.rewards.reduce((sum, reward) => sum + reward, 0) / round.rewards.length;
        expect(seen.checkpoints[at]?.metrics['val/reward']).toBeCloseTo(mean, 9);
      }
      // The bundled model is of two minds about these words, so that there is something to train on.
      expect(seen.rounds.some(({ numSequences }) => numSequences > 0)).toBe(true);
      const jobs = await stack.ask('GET', `/v1/preview/training-jobs?model_id=${seen.model.id}&order=asc`);
      expect(jobs.json).toMatchObject({
        data: seen.rounds.map(({ jobId }, at) => ({
          id: jobId,
          status: 'succeeded',
          attempt: 1,
          produced_checkpoint: { step: at + 1 },
          parent_checkpoint: at === 0 ? null : { step: at },
        })),
      });
      expect(await findBrokenInvariants(stack.test.db)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'reads in one sentence why a job failed',
    async () => {
      const wrong = { trainingUrl: `${stack.training.url}/v1`, inferenceUrl: `${stack.training.url}/v1` };
      const model = { project: 'art', name: 'unknown-base', base_model: 'hone-tiny' };
      await stack.ask('POST', '/v1/preview/models', model);
      // The base was taken away after the model was made.
      await stack.test.sql(`UPDATE trainable_models SET base_model = 'nobody/knows-it' WHERE name = 'unknown-base'`);
      const unknownBase = { ...wrong, name: 'unknown-base', baseModel: 'nobody/knows-it', words: [], rounds: 1 };
      await expect(runArtClient(stack.key, unknownBase)).rejects.toThrow(/nobody\/knows-it/);
    },
    LIMIT_MS,
  );

  it(
    'finds the system well while a trainer lives',
    async () => {
      await until(async () => (await stack.ask('GET', '/v1/system-check')).status === 200, 'a trainer that is seen');
      expect((await stack.ask('GET', '/v1/system-check')).json).toEqual({
        api: true,
        database: true,
        cpu_queue: { success: true, duration: expect.any(Number), errors: [] },
        gpu_queue: { success: true, duration: 0, errors: [], configured: false },
        engines: [{ name: 'embedded', kind: 'embedded', reachable: true, models: null }],
      });
    },
    LIMIT_MS,
  );
});
