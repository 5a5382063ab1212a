import { FAMILIES, heldOutExamples, practiceExamples, type Family } from '@hone/engine/hone-tiny';

import type { HoneClient } from '../api/hone-client.js';
import { accuracyOf, ask, type Question, textOf } from '../api/questions.js';
import { followJob } from '../api/training-jobs.js';
import { plot } from '../terminal/plot.js';
import { Progress } from '../terminal/progress.js';
import { collectGroups, rewardsOf } from './rollouts.js';
import { createModel } from './trained-model.js';

const PROMPTS = 8;
const SAMPLES = 8;
const MAX_JOBS = 60;
const LEARNING_RATE = 2e-3;
const GOAL = 0.9;
const HELD_OUT = 100;
const MEASURE_EVERY = 5;
/** Rollouts of the very policy that is trained: their importance ratios are 1, up to rounding. */
const RATIO_TOLERANCE = 1e-5;

const isExact = (text: string, { answer }: Question): boolean => text === answer;

/** How the tour ended. */
export interface RlOutcome {
  readonly before: number;
  readonly after: number;
  readonly jobs: number;
  /** Of all jobs together, child processes included. */
  readonly trainingMs: number;
  /** Largest distance of an importance ratio from 1 over all fresh rollouts. */
  readonly ratioError: number;
}

/**
 * Reinforcement learning over HTTP alone: rollouts from the gateway, a reward for exact answers, one job after the
 * other, until questions that were never trained on are answered.
 */
export async function rlTour(client: HoneClient, show: (text: string) => void): Promise<RlOutcome> {
  const family = FAMILIES.find(({ name }) => name === 'reverse') as Family;
  const progress = new Progress();
  const { id, inference_name: model } = await createModel(client, 'tour', 'rl');
  const heldOut = heldOutExamples(family, 77, HELD_OUT);
  const measure = () => accuracyOf(client, model, heldOut, isExact);
  show(`A model that learns: ${model}`);
  await showAnswer(client, model, heldOut[0] as Question, show);
  const before = await measure();
  show(`Before: ${percent(before)} of ${HELD_OUT} held-out questions.`);
  const rewards: number[] = [];
  let outcome: RlOutcome = { before, after: before, jobs: 0, trainingMs: 0, ratioError: 0 };
  while (outcome.jobs < MAX_JOBS && outcome.after < GOAL) {
    progress.begin(`job ${outcome.jobs + 1}: reward ${rewards.at(-1)?.toFixed(2) ?? '-'}`);
    const questions = practiceExamples(family, 1_000 + outcome.jobs, PROMPTS);
    const groups = await collectGroups(client, model, questions, { samples: SAMPLES, seed: outcome.jobs, reward });
    rewards.push(meanOf(rewardsOf(groups)));
    outcome = await train(client, id, groups, outcome, progress);
    if (outcome.jobs % MEASURE_EVERY === 0) outcome = { ...outcome, after: await measure() };
  }
  progress.end();
  show(plot(`Mean reward of ${outcome.jobs} jobs of ${PROMPTS} questions x ${SAMPLES} samples`, rewards));
  await showAnswer(client, model, heldOut[0] as Question, show);
  show(`After: ${percent(outcome.after)}; ${(outcome.trainingMs / 1_000).toFixed(1)} s of training.`);
  show(`Importance ratios of fresh rollouts: 1 within ${outcome.ratioError.toExponential(1)}.`);
  return outcome;
}

/** Whether the goals hold that the documentation promises. */
export const isRlGoalMet = ({ after, trainingMs, ratioError }: RlOutcome): boolean =>
  after >= GOAL && trainingMs <= 60_000 && ratioError <= RATIO_TOLERANCE;

const reward = (text: string, question: Question): number => (isExact(text, question) ? 1 : 0);

async function train(
  client: HoneClient,
  modelId: string,
  groups: readonly unknown[],
  outcome: RlOutcome,
  progress: Progress,
): Promise<RlOutcome> {
  const body = {
    model_id: modelId,
    trajectory_groups: groups,
    experimental_config: { learning_rate: LEARNING_RATE },
  };
  const created = await client.post<{ id: string }>('/v1/preview/training-jobs', body);
  const { job, steps } = await followJob(client, created.id, (done, total) => progress.at(done, total));
  // Only the first step of a job is on-policy: the later ones learn from what an earlier policy sampled.
  const [first] = steps;
  const errors = first === undefined ? [] : [first['offpolicy/ratio_mean'], first['offpolicy/ratio_max']];
  return {
    ...outcome,
    jobs: outcome.jobs + 1,
    trainingMs: outcome.trainingMs + job.timings_ms.preparing + job.timings_ms.running,
    ratioError: Math.max(outcome.ratioError, ...errors.map((ratio) => Math.abs((ratio ?? Infinity) - 1))),
  };
}

async function showAnswer(client: HoneClient, model: string, question: Question, show: (text: string) => void) {
  const answer = textOf(await ask(client, model, question.messages));
  show(`  ${question.messages.at(0)?.content} -> ${answer}`);
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
