import { planRl, type PlanRow, planSft, resolveRlConfig, resolveSftConfig, type StoredPart } from '@hone/engine';

import type { EngineUnderTest } from './engine-under-test.js';
import { finish, RecordingSink } from './recording-sink.js';
import { anRlSpec, anSftSpec } from './training-specs.js';

const GROUPS = 8;
const SAMPLES = 8;
/** Each job is one step of the optimiser: it must be a large one. */
const LEARNING_RATE = 1.5e-2;
/** Dozens of jobs, each of which may be a process of its own. */
const LONG_MS = 600_000;

/** Served and trained probabilities agree, and training improves the model. */
export function describeLearning(subjectOf: () => EngineUnderTest): void {
  const prompt = (index: number) => [1, 40 + index, 41, 42, 43];

  /** One rollout: `GROUPS` prompts, `SAMPLES` answers each, as a client logs them. */
  async function rollOut(
    checkpoint: StoredPart | null,
    seed: number,
    maxTokens: number,
    rewardOf: (ids: readonly number[]) => number,
  ): Promise<PlanRow[]> {
    const prompts = Array.from({ length: GROUPS * SAMPLES }, (_, index) => prompt(Math.floor(index / SAMPLES)));
    const answers = await subjectOf().sample(checkpoint, prompts, { maxTokens, temperature: 1, seed });
    const groups = Array.from({ length: GROUPS }, (_, group) => ({
      trajectories: answers.slice(group * SAMPLES, (group + 1) * SAMPLES).map(({ ids, logprobs }) => ({
        reward: rewardOf(ids),
        messages_and_choices: [
          { role: 'user', content: 'x' },
          {
            finish_reason: 'length',
            message: { role: 'assistant', content: '' },
            prompt_token_ids: prompt(group),
            token_ids: [...ids],
            logprobs: { content: logprobs.map((logprob) => ({ token: '', logprob })) },
          },
        ],
      })),
    }));
    const tokenizer = { vocabSize: subjectOf().vocabSize, encodeChat: () => [] };
    return [
      ...planRl(groups, resolveRlConfig({ learning_rate: LEARNING_RATE }), {
        tokenizer,
        contextLength: 64,
        parentStep: 0,
      }).rows,
    ];
  }

  it(
    'gives the served log-probabilities back: ratios of fresh answers are 1',
    async () => {
      const subject = subjectOf();
      const first = await finish(
        subject,
        await anRlSpec(subject, await rollOut(null, 1, 4, ([id]) => (id as number) % 2)),
      );
      for (const parent of [null, first]) {
        const rows = await rollOut(parent, 2, 6, ([id]) => (id as number) % 3);
        const sink = new RecordingSink();
        await finish(subject, await anRlSpec(subject, rows, {}, { parent }), sink);
        const { largest, mean } = subject.servedRatioErrors ?? { largest: 1e-5, mean: 1e-5 };
        expect(Math.abs((sink.steps.get(1)?.['offpolicy/ratio_max'] ?? NaN) - 1)).toBeLessThan(largest);
        expect(Math.abs((sink.steps.get(1)?.['offpolicy/ratio_mean'] ?? NaN) - 1)).toBeLessThan(mean);
        expect(sink.steps.get(1)?.['offpolicy/clip_fraction']).toBe(0);
      }
    },
    LONG_MS,
  );

  it(
    'learns which token is rewarded',
    async () => {
      const subject = subjectOf();
      // A token that the model samples now and then: a reward that no sample gets teaches nothing.
      const tries = await subject.sample(null, Array(256).fill(prompt(0)), { maxTokens: 1, temperature: 1, seed: 9 });
      const target = mostFrequent(tries.map(({ ids }) => ids[0] as number));
      let checkpoint: StoredPart | null = null;
      let mean = 0;
      for (let job = 0; job < 40 && mean < 0.8; job += 1) {
        const rewards: number[] = [];
        const rows = await rollOut(checkpoint, job, 1, ([id]) => {
          rewards.push(id === target ? 1 : 0);
          return id === target ? 1 : 0;
        });
        mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
        if (rows.length > 0)
          checkpoint = await finish(subject, await anRlSpec(subject, rows, {}, { parent: checkpoint }));
      }
      expect(mean).toBeGreaterThanOrEqual(0.8);
    },
    LONG_MS,
  );

  it(
    'repeats what it was fine-tuned on',
    async () => {
      const subject = subjectOf();
      const lines = Array.from({ length: 32 }, (_, index) =>
        JSON.stringify({
          messages: [
            { role: 'user', content: `q${index % 4}` },
            { role: 'assistant', content: 'a' },
          ],
        }),
      );
      const questions = new Map(Array.from({ length: 4 }, (_, index) => [`q${index}`, prompt(index)]));
      const answer = [50, 51, 52, 2];
      const tokenizer = {
        vocabSize: subject.vocabSize,
        encodeChat: (messages: readonly object[], { addGenerationPrompt }: { addGenerationPrompt: boolean }) => {
          const question = questions.get((messages[0] as { content: string }).content) ?? [];
          return addGenerationPrompt ? [...question] : [...question, ...answer];
        },
      };
      const config = resolveSftConfig({ batch_size: 8, learning_rate: 2e-3 });
      const { rows } = await planSft(lines, config, { tokenizer, contextLength: 64 });
      const losses: number[] = [];
      let checkpoint: StoredPart | null = null;
      for (let job = 0; job < 20; job += 1) {
        const sink = new RecordingSink();
        checkpoint = await finish(subject, await anSftSpec(subject, rows, { parent: checkpoint }), sink);
        losses.push(sink.steps.get(1)?.['loss'] ?? NaN);
      }
      expect(losses.at(-1)).toBeLessThan((losses[0] as number) / 2);
      const [greedy] = await subject.sample(checkpoint, [prompt(0)], {
        maxTokens: answer.length,
        temperature: 0,
        seed: 0,
      });
      expect(greedy?.ids).toEqual(answer);
    },
    LONG_MS,
  );
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] as number;
}
