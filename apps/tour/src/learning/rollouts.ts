import type { Hone } from '@hone/client';

import { ask, type Question } from '../api/questions.js';

/** What the training service takes as one rollout. */
export interface Trajectory {
  readonly reward: number;
  readonly messages_and_choices: object[];
}

export interface TrajectoryGroup {
  readonly trajectories: Trajectory[];
}

export interface RolloutOptions {
  /** Answers per question. */
  readonly samples: number;
  readonly seed: number;
  readonly reward: (text: string, question: Question) => number;
}

/** Samples answers to each question and rewards them: one group a question, with token ids and log-probabilities. */
export async function collectGroups(
  hone: Hone,
  model: string,
  questions: readonly Question[],
  options: RolloutOptions,
): Promise<TrajectoryGroup[]> {
  return Promise.all(questions.map((question, index) => collectGroup(hone, model, question, index, options)));
}

async function collectGroup(
  hone: Hone,
  model: string,
  question: Question,
  index: number,
  { samples, seed, reward }: RolloutOptions,
): Promise<TrajectoryGroup> {
  const completion = await ask(hone, model, question.messages, {
    temperature: 1,
    n: samples,
    seed: seed * 1_000 + index * samples,
    max_tokens: 24,
    logprobs: true,
    return_token_ids: true,
  });
  return {
    trajectories: completion.choices.map((choice) => ({
      reward: reward(choice.message.content ?? '', question),
      messages_and_choices: [...question.messages, { prompt_token_ids: completion.prompt_token_ids, ...choice }],
    })),
  };
}

export const rewardsOf = (groups: readonly TrajectoryGroup[]): number[] =>
  groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward));
