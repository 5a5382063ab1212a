import { checkLevel } from '../data/checks.js';
import { clip, DEFAULT_LEVEL } from '../data/interval.js';
import type { SequenceLook } from './sequence-look.js';

/**
 * Shares of their capital that gamblers risk on each value. A single one is best for one size of difference only. Of
 * simulated pairs, three in ten of which differ, these find ten points after 250, the best single one after 225, in half
 * of the lives.
 */
const STAKES = [0.125, 0.25, 0.5];
/** Halvings of an interval of length 1: to 12 digits. */
const HALVINGS = 40;

/**
 * Confidence sequence of the mean of bounded values by betting: I. Waudby-Smith and A. Ramdas, Estimating means of
 * bounded random variables by betting, J. R. Stat. Soc. B 86 (2024), sections 4 and 5 (hedged, diversified capital). Values
 * are moved to x in [0, 1]. Against each candidate m for the mean, gamblers bet that the mean is larger, others that it
 * is smaller, each with a fixed stake s:
 *
 * - capital = mean over s of Π (1 + s (x/m − 1)), and of Π (1 + s ((1 − x)/(1 − m) − 1));
 * - m is left out once one of the two is 2/α times what it was at the beginning.
 *
 * The first falls with m and the second rises, so that each end is found by halving. Earlier intervals hold as well: ends
 * never move back.
 *
 * Valid at any number of values if each, given those before, has the same mean.
 */
export class BettingSequence {
  /** How often each value was seen. */
  private readonly counts = new Map<number, number>();
  private count = 0;
  private sum = 0;
  private low = 0;
  private high = 1;

  /**
   * @param bounds the smallest and the largest value that there can be
   * @param level share of sequences that hold the mean at every look, for example 0.95
   * @param before the last look of the sequence that this one continues, whose values are to be added again
   * @throws RangeError the bounds are no range, or the level is not between 0 and 1
   */
  constructor(
    private readonly bounds: readonly [number, number],
    private readonly level = DEFAULT_LEVEL,
    before?: Pick<SequenceLook, 'low' | 'high'>,
  ) {
    checkLevel(level);
    if (!Number.isFinite(bounds[1] - bounds[0]) || bounds[1] <= bounds[0])
      throw new RangeError(`bounds must be a range, got ${bounds[0]} to ${bounds[1]}`);
    if (before) {
      const share = (end: number) => clip((end - bounds[0]) / (bounds[1] - bounds[0]), 0, 1);
      [this.low, this.high] = [share(before.low), share(before.high)];
    }
  }

  /** @throws RangeError the value is beyond the bounds, or no number */
  add(value: number): void {
    const [low, high] = this.bounds;
    if (!(value >= low && value <= high)) throw new RangeError(`value must lie from ${low} to ${high}, got ${value}`);
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
    this.count += 1;
    this.sum += value;
  }

  /** The interval by now. Before the first value: all there can be, its middle as the estimate. */
  look(): SequenceLook {
    const [from, to] = this.bounds;
    const values = [...this.counts].map(([value, count]): [number, number] => [(value - from) / (to - from), count]);
    const mirrored = values.map(([x, count]): [number, number] => [1 - x, count]);
    this.low = this.endOf(values, this.low, this.high);
    this.high = 1 - this.endOf(mirrored, 1 - this.high, 1 - this.low);
    const [low, high] = [from + this.low * (to - from), from + this.high * (to - from)];
    const estimate = this.count === 0 ? (from + to) / 2 : clip(this.sum / this.count, from, to);
    return { count: this.count, estimate, low, high };
  }

  /** The largest m from `from` to `to` up to which all are left out. */
  private endOf(values: readonly [number, number][], from: number, to: number): number {
    const limit = Math.log(2 / (1 - this.level));
    const isOut = (m: number) => logCapital(values, m) >= limit;
    if (from >= to || !isOut(from)) return from;
    let [out, kept] = [from, to];
    for (let turn = 0; turn < HALVINGS; turn++) {
      const middle = (out + kept) / 2;
      if (isOut(middle)) out = middle;
      else kept = middle;
    }
    return out;
  }
}

/** Logarithm of the capital of the gamblers who bet that the mean is above m. @param values from 0 to 1, with how often each was seen */
function logCapital(values: readonly [number, number][], m: number): number {
  if (m === 0) return values.some(([x]) => x > 0) ? Number.POSITIVE_INFINITY : 0;
  const capitals = STAKES.map((stake) => {
    let capital = 0;
    for (const [x, count] of values) capital += count * Math.log1p(stake * (x / m - 1));
    return capital;
  });
  const most = Math.max(...capitals);
  return most + Math.log(capitals.reduce((sum, capital) => sum + Math.exp(capital - most), 0) / STAKES.length);
}
