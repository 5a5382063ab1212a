import type { RatedItem, RatingLevel } from './rating.js';

/**
 * Krippendorff's alpha: 1 - Do / De over the items with at least two ratings. Do is the mean squared difference of two
 * ratings of one item, De that of any two ratings.
 *
 * K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), University of Pennsylvania, sections A to E. Both
 * sums are taken from moments instead of pairs: sum over i, j of (x_i - x_j)^2 = 2 (m sum x^2 - (sum x)^2), so the work is
 * linear in the ratings. On the ordinal level, Krippendorff's difference of two values is that of their mid-ranks.
 */
export class KrippendorffAlpha {
  private readonly items: string[][] = [];
  private readonly level: RatingLevel;

  constructor(level: RatingLevel) {
    this.level = level;
  }

  /** On the ordinal and interval levels values that are no numbers do not count. */
  add({ ratings }: RatedItem): void {
    const values = ratings.map(({ value }) => value).filter((value) => this.level === 'nominal' || isNumber(value));
    if (values.length >= 2) this.items.push(values);
  }

  /**
   * @param pause waits, when the work has taken long, so that other work goes on
   * @returns null: undefined, because no item has two ratings, or all ratings are equal
   */
  async alpha(pause: () => Promise<void>): Promise<number | null> {
    const totals = await this.totals(pause);
    if (totals.size < 2) return null;
    if (this.level === 'nominal') return this.nominal(totals, pause);
    return this.metric(this.level === 'interval' ? centred(totals) : midRanks(totals), totals, pause);
  }

  /** Value -> ratings with it. */
  private async totals(pause: () => Promise<void>): Promise<Map<string, number>> {
    const totals = new Map<string, number>();
    for (const values of this.items) {
      for (const value of values) totals.set(value, (totals.get(value) ?? 0) + 1);
      await pause();
    }
    return totals;
  }

  /** Two values differ by 1, or not at all. */
  private async nominal(totals: Map<string, number>, pause: () => Promise<void>): Promise<number | null> {
    let observed = 0;
    for (const values of this.items) {
      const counts = new Map<string, number>();
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      observed += differing(counts.values(), values.length) / (values.length - 1);
      await pause();
    }
    const n = sum(totals.values());
    return alphaOf(observed, differing(totals.values(), n), n);
  }

  /** @param scale value -> the number whose differences are squared */
  private async metric(
    scale: Map<string, number>,
    totals: Map<string, number>,
    pause: () => Promise<void>,
  ): Promise<number | null> {
    let observed = 0;
    for (const values of this.items) {
      observed += squaredDifferences(values.map((value) => [scale.get(value) as number, 1])) / (values.length - 1);
      await pause();
    }
    const all = [...totals].map(([value, count]): [number, number] => [scale.get(value) as number, count]);
    return alphaOf(observed, squaredDifferences(all), sum(totals.values()));
  }
}

const isNumber = (value: string): boolean => value !== '' && Number.isFinite(Number(value));

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

/** @param observed sum over items of their pairs' differences, each item's divided by its ratings - 1 */
const alphaOf = (observed: number, expected: number, n: number): number | null => {
  const alpha = 1 - ((n - 1) * observed) / expected;
  return Number.isFinite(alpha) ? alpha : null; // numbers near the end of the double range have no squares
};

/** Ordered pairs of different values among `n` values with these counts. */
function differing(counts: Iterable<number>, n: number): number {
  let equal = 0;
  for (const count of counts) equal += count * count;
  return n * n - equal;
}

/** Sum over ordered pairs of the squared differences. @param counted numbers with how often each is there */
function squaredDifferences(counted: [number, number][]): number {
  const n = sum(counted.map(([, count]) => count));
  // About the mean, so that large values with small differences keep their digits.
  const mean = sum(counted.map(([number, count]) => number * count)) / n;
  return 2 * n * sum(counted.map(([number, count]) => count * (number - mean) ** 2));
}

/** Values as numbers. */
const centred = (totals: Map<string, number>): Map<string, number> =>
  new Map([...totals.keys()].map((value) => [value, Number(value)]));

/** Value -> the mean rank of the ratings with it. */
function midRanks(totals: Map<string, number>): Map<string, number> {
  const ranks = new Map<string, number>();
  let below = 0;
  for (const [value, count] of [...totals].sort(([x], [y]) => Number(x) - Number(y))) {
    ranks.set(value, below + count / 2);
    below += count;
  }
  return ranks;
}
