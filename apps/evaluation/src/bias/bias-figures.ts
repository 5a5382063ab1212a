import type { BiasFigureDto } from '@hone/contracts';
import { type Interval, judgeOnlyMean, momentsOf, partialCorrelation } from '@hone/statistics';

/** Of fewer labels no correlation given them has an interval. */
const MIN_CORRELATED_LABELS = 6;
/** Of fewer no variance is known. */
const MIN_VALUES = 2;

/** A labelled call, and what its verdict should not depend on. */
export interface LabelledAnswer {
  readonly human: number;
  readonly judge: number;
  /** 1/chance to be labelled, relative to the others. */
  readonly weight: number;
  /** Null: not known. */
  readonly trait: number | null;
}

/** Verdicts about one call: as it is, and changed by a probe. */
export interface ProbedCall {
  readonly before: number;
  readonly after: number;
}

/**
 * How far the verdict follows a trait of the answer that people's label does not: the partial correlation of both given the
 * label. Null: too few labels, or all answers have the trait alike.
 */
export function traitBias(answers: readonly LabelledAnswer[], level: number): BiasFigureDto | null {
  const known = answers.flatMap(({ trait, ...others }) => (trait === null ? [] : [{ ...others, trait }]));
  if (known.length < MIN_CORRELATED_LABELS) return null;
  const found = partialCorrelation(
    known.map(({ judge }) => judge),
    known.map(({ trait }) => trait),
    [known.map(({ human }) => human)],
    level,
    known.map(({ weight }) => weight),
  );
  return toFigure(found, known.length);
}

/** How far a probe moves verdicts: in which direction, and in whichever. */
export function probeFigures(
  calls: readonly ProbedCall[],
  level: number,
): { readonly change: BiasFigureDto | null; readonly distance: BiasFigureDto | null } {
  const changes = calls.map(({ before, after }) => after - before);
  return { change: meanFigure(changes, level), distance: meanFigure(changes.map(Math.abs), level) };
}

/** The mean with Student's t interval. */
export function meanFigure(values: readonly number[], level: number): BiasFigureDto | null {
  if (values.length < MIN_VALUES) return null;
  return toFigure(judgeOnlyMean(momentsOf(values), false, level), values.length);
}

/** The share of ones among ones and zeros, with Wilson's interval. */
export function shareFigure(values: readonly number[], level: number): BiasFigureDto | null {
  if (values.length < MIN_VALUES) return null;
  return toFigure(judgeOnlyMean(momentsOf(values), true, level), values.length);
}

const toFigure = (found: Interval | null, calls: number): BiasFigureDto | null =>
  found && { estimate: found.estimate, low: found.low, high: found.high, calls };
