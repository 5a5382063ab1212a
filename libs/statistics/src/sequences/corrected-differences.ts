import { checkChances, checkPairs } from '../data/checks.js';

/** Pairs of answers to one input, and by how much the candidate's is better: each list has one value a pair. */
export interface JudgedPairs {
  /** By the judge. */
  readonly judge: readonly number[];
  /** By people; null: the pair was not drawn. */
  readonly human: readonly (number | null)[];
  /** Chance of each pair to be drawn for people, above 0 and at most 1. */
  readonly chances: readonly number[];
}

/**
 * Differences of pairs whose mean is people's, whatever the judge: judge + (drawn / chance) (human − judge), of active
 * inference: T. Zrnic and E. J. Candès, Active Statistical Inference, ICML 2024.
 *
 * @throws RangeError lists of unequal length, a number that is not finite, a chance out of its range
 */
export function correctedDifferences({ judge, human, chances }: JudgedPairs): number[] {
  checkPairs(['judge', 'chances'], judge, chances);
  checkPairs(
    ['judge', 'human'],
    judge,
    human.map((value) => value ?? 0),
  );
  checkChances(chances);
  return judge.map((verdict, at) => {
    const label = human[at] ?? null;
    return label === null ? verdict : verdict + (label - verdict) / (chances[at] as number);
  });
}
