import type { Hone, TrainableModelDetailDto } from '@hone/client';
import { FAMILIES, type Family, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';

import { accuracyOf, type Question, toQuestion } from '../api/questions.js';
import { followJob } from '../api/training-jobs.js';
import { Progress } from '../terminal/progress.js';
import { collectGroups, rewardsOf, type TrajectoryGroup } from './rollouts.js';

export const PROMPTS = 8;
export const SAMPLES = 8;
export const GOAL = 0.9;
export const HELD_OUT = 100;
export const LEARNING_RATE = 2e-3;
const MEASURE_EVERY = 5;

/** A kind of question of which the bundled model is undecided how to answer it. */
const FAMILY = FAMILIES.find(({ name }) => name === 'reverse') as Family;
/** Questions that no job is trained on. */
export const HELD_OUT_QUESTIONS: readonly Question[] = heldOutExamples(FAMILY, 77, HELD_OUT).map(toQuestion);

/** How a run of jobs went. */
export interface RewardOutcome {
  /** Share of held-out questions answered exactly, decoding greedily, 0 to 1. */
  readonly before: number;
  readonly after: number;
  /** Mean reward of each job's rollouts, in order. */
  readonly rewards: readonly number[];
  /** Of all jobs together, child processes included. */
  readonly trainingMs: number;
  /** Largest distance of an importance ratio from 1 over all fresh rollouts. */
  readonly ratioError: number;
}

/**
 * Rollouts from the gateway, a reward for exact answers, one job after the other, until held-out questions are answered
 * or `maxJobs` were run.
 */
export async function learnByReward(
  hone: Hone,
  model: TrainableModelDetailDto,
  maxJobs: number,
): Promise<RewardOutcome> {
  const progress = new Progress();
  const measure = () => accuracyOf(hone, model.inference_name, HELD_OUT_QUESTIONS, isExact);
  const before = await measure();
  let outcome: RewardOutcome = { before, after: before, rewards: [], trainingMs: 0, ratioError: 0 };
  while (outcome.rewards.length < maxJobs && outcome.after < GOAL) {
    outcome = await runJob(hone, model, outcome, progress);
    const jobs = outcome.rewards.length;
    if (jobs % MEASURE_EVERY === 0 || jobs === maxJobs) outcome = { ...outcome, after: await measure() };
  }
  progress.end();
  return outcome;
}

/** Questions to learn from, others in each round. */
export const practiceQuestions = (round: number): readonly Question[] =>
  practiceExamples(FAMILY, 1_000 + round, PROMPTS).map(toQuestion);

/** Fresh rollouts of practice questions: a group for each, exact answers rewarded. */
export function practise(hone: Hone, model: TrainableModelDetailDto, round: number): Promise<TrajectoryGroup[]> {
  return collectGroups(hone, model.inference_name, practiceQuestions(round), {
    samples: SAMPLES,
    seed: round,
    reward,
  });
}

export const jobBodyOf = (model: TrainableModelDetailDto, groups: TrajectoryGroup[]) => ({
  model_id: model.id,
  trajectory_groups: groups,
  experimental_config: { learning_rate: LEARNING_RATE },
});

async function runJob(
  hone: Hone,
  model: TrainableModelDetailDto,
  outcome: RewardOutcome,
  progress: Progress,
): Promise<RewardOutcome> {
  const { rewards } = outcome;
  progress.begin(`job ${rewards.length + 1}, reward ${rewards.at(-1)?.toFixed(2) ?? '-'}`);
  const groups = await practise(hone, model, rewards.length);
  const created = await hone.training.createTrainingJob(jobBodyOf(model, groups));
  const { job, steps } = await followJob(hone, created.id, (done, total) => progress.at(done, total));
  // Only the first step of a job is on-policy: the later ones learn from what an earlier policy sampled.
  const [first] = steps;
  const ratios = first === undefined ? [] : [first['offpolicy/ratio_mean'], first['offpolicy/ratio_max']];
  return {
    ...outcome,
    rewards: [...rewards, meanOf(rewardsOf(groups))],
    trainingMs: outcome.trainingMs + job.timings_ms.preparing + job.timings_ms.running,
    ratioError: Math.max(outcome.ratioError, ...ratios.map((ratio) => Math.abs((ratio ?? Infinity) - 1))),
  };
}

export const isExact = (text: string, { answer }: Question): boolean => text === answer;
const reward = (text: string, question: Question): number => (isExact(text, question) ? 1 : 0);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
