import type { LinesConfig } from './lines-config.js';
import { ValidationDataEmptyError } from './plan.errors.js';
import type { PlannedSequence } from './plan.js';
import type { RenderedLine } from './sft-lines.js';
import { SplitMix64 } from './split-mix64.js';

/** Validation sets up to so many lines are evaluated after every gradient step; larger ones in proportion less often. */
const LINES_OF_EVERY_STEP = 256;

/** The lines that are trained, in the order of the file, and those that are held out. */
export interface SplitLines<Line> {
  readonly trained: readonly Line[];
  readonly heldOut: readonly Line[];
}

/**
 * Holds out a share of the lines, drawn by the seed: equal files with equal seeds are split alike.
 *
 * @throws ValidationDataEmptyError there is one line only
 */
export function holdOut<Line>(
  lines: readonly Line[],
  { validation_fraction: fraction, seed }: Pick<LinesConfig, 'validation_fraction' | 'seed'>,
): SplitLines<Line> {
  if (fraction === null) return { trained: lines, heldOut: [] };
  if (lines.length < 2) throw new ValidationDataEmptyError('One line cannot be both trained and held out');
  const count = Math.min(lines.length - 1, Math.max(1, Math.round(lines.length * fraction)));
  const drawn = new Set(new SplitMix64(seed).shuffle(lines).slice(0, count));
  return { trained: lines.filter((line) => !drawn.has(line)), heldOut: lines.filter((line) => drawn.has(line)) };
}

/**
 * The sequences of the validation loss: lines that fit into the context and have an answer.
 *
 * @throws ValidationDataEmptyError there is none
 */
export function validationSequences(lines: readonly RenderedLine[]): PlannedSequence[] {
  const sequences = lines.flatMap(({ sequence }) => (sequence?.mask.includes(1) ? [sequence] : []));
  if (sequences.length === 0) throw new ValidationDataEmptyError('The validation data has no token to evaluate');
  return sequences;
}

/** Gradient steps between two evaluations. @param lines of the validation set */
export const validationInterval = (every: number | null, lines: number): number =>
  every ?? Math.max(1, Math.ceil(lines / LINES_OF_EVERY_STEP));
