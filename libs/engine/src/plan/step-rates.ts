import { scheduleFactor } from './learning-rate-schedule.js';
import type { LinesConfig } from './lines-config.js';
import { LearningRateListLengthError, TooManyStepsError } from './plan.errors.js';

/** The limit of the lines of a file: each step has an event. */
const MAX_STEPS = 1_000_000;

/**
 * The learning rate of each gradient step; a list must have one for each.
 *
 * @throws TooManyStepsError more than a million steps
 * @throws LearningRateListLengthError a list of another length
 */
export function stepRates(config: LinesConfig, steps: number): readonly number[] {
  if (steps > MAX_STEPS) throw new TooManyStepsError(steps, MAX_STEPS);
  const { learning_rate: given } = config;
  if (typeof given === 'number') {
    return Array.from({ length: steps }, (_, index) => given * scheduleFactor(config, index, steps));
  }
  if (given.length !== steps) throw new LearningRateListLengthError(given.length, steps);
  return given;
}
