import type { Hone } from '@hone/client';

import { showAnswer } from '../api/questions.js';
import { percent, plot, seconds } from '../terminal/plot.js';
import {
  GOAL,
  HELD_OUT,
  HELD_OUT_QUESTIONS,
  learnByReward,
  PROMPTS,
  type RewardOutcome,
  SAMPLES,
} from './learn-by-reward.js';
import { createModel } from './trained-model.js';

const MAX_JOBS = 60;
const MAX_TRAINING_MS = 60_000;
/** Rollouts of the very policy that is trained: their importance ratios are 1, up to rounding. */
const RATIO_TOLERANCE = 1e-5;

/** Reinforcement learning over HTTP alone. */
export async function rlTour(hone: Hone, show: (text: string) => void, base: string): Promise<RewardOutcome> {
  const model = await createModel(hone, 'tour', 'rl', base);
  show(`A model that learns: ${model.inference_name}`);
  show(await showAnswer(hone, model.inference_name, HELD_OUT_QUESTIONS[0]));
  const outcome = await learnByReward(hone, model, MAX_JOBS);
  const { before, after, rewards, trainingMs, ratioError } = outcome;
  show(plot(`Mean reward of ${rewards.length} jobs of ${PROMPTS} questions x ${SAMPLES} samples`, rewards));
  show(await showAnswer(hone, model.inference_name, HELD_OUT_QUESTIONS[0]));
  show(`Of ${HELD_OUT} held-out questions: ${percent(before)} before, ${percent(after)} after.`);
  show(
    `${seconds(trainingMs)} of training; importance ratios of fresh rollouts: 1 within ${ratioError.toExponential(1)}.`,
  );
  return outcome;
}

/** Whether the goals hold that the documentation promises. */
export const isRlGoalMet = ({ after, trainingMs, ratioError }: RewardOutcome): boolean =>
  after >= GOAL && trainingMs <= MAX_TRAINING_MS && ratioError <= RATIO_TOLERANCE;
