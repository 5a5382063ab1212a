import type { RlLoss } from './loss-settings.js';

/** Importance ratios of the trained tokens of one sequence. */
export interface ImportanceRatios {
  readonly values: Float64Array;
  /** From `d / d ratio` of each token to `d / d lp` of each token: a ratio may depend on the whole sequence. */
  pullBack(upstream: Float64Array): Float64Array;
}

/**
 * The ratio of each token at the level that the settings name, limited and masked as they say.
 *
 * @param differences lp - old
 */
export function importanceRatios(settings: RlLoss, differences: Float64Array): ImportanceRatios {
  const level = LEVELS[settings.level](differences);
  const { maxRatio } = settings;
  // At a tie the ratio keeps its gradient, not the limit.
  const isLimited = level.values.map((value) => (maxRatio !== null && value > maxRatio ? 1 : 0));
  const limited = level.values.map((value, at) => (isLimited[at] ? (maxRatio as number) : value));
  const isMasked = limited.map((value) => (isOutside(settings, value) ? 1 : 0));
  return {
    values: limited.map((value, at) => (isMasked[at] ? 0 : value)),
    pullBack: (upstream) => level.pullBack(upstream.map((value, at) => (isLimited[at] || isMasked[at] ? 0 : value))),
  };
}

const isOutside = ({ maskOutsideClip, epsilon, epsilonHigh }: RlLoss, ratio: number): boolean =>
  maskOutsideClip && !(ratio > 1 - epsilon && ratio < 1 + epsilonHigh);

/** The levels: a ratio depends on the token's own difference, on the mean over its sequence, or on both. */
const LEVELS: Record<RlLoss['level'], (differences: Float64Array) => ImportanceRatios> = {
  token: (differences) => {
    const values = differences.map(Math.exp);
    return { values, pullBack: (upstream) => upstream.map((value, at) => value * (values[at] as number)) };
  },
  sequence: (differences) => {
    const ratio = Math.exp(mean(differences));
    return {
      values: differences.map(() => ratio),
      pullBack: (upstream) => upstream.map(() => mean(upstream) * ratio),
    };
  },
  average: (differences) => {
    const [own, whole] = [LEVELS.token(differences), LEVELS.sequence(differences)];
    return {
      values: own.values.map((value, at) => (value + (whole.values[at] as number)) / 2),
      pullBack: (upstream) => {
        const ofSequence = whole.pullBack(upstream);
        return own.pullBack(upstream).map((value, at) => (value + (ofSequence[at] as number)) / 2);
      },
    };
  },
  geometric_average: (differences) => {
    const average = mean(differences);
    const values = differences.map((value) => Math.exp((value + average) / 2));
    return {
      values,
      pullBack: (upstream) => {
        const scaled = upstream.map((value, at) => value * (values[at] as number));
        const average = mean(scaled);
        return scaled.map((value) => (value + average) / 2);
      },
    };
  },
};

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
