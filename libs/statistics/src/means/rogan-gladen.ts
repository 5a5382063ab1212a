import type { BinaryCounts } from '../agreement/binary-agreement.js';
import { checkCount, checkLevel } from '../data/checks.js';
import { clip, DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { twoSidedNormal } from '../intervals/two-sided.js';

/**
 * The true rate behind a judge's pass rate: (rate + TNR − 1) / (TPR + TNR − 1), by W. J. Rogan and B. Gladen, American
 * Journal of Epidemiology 107 (1978) 71, clipped to [0, 1]. The interval is by the delta method over the three rates,
 * taken as independent. A check on PPI++, which needs no equal error rates on labelled and other calls.
 *
 * @param passed calls that the judge passed, of all calls
 * @param calls all calls, labelled or not
 * @param counts of the labelled calls
 * @returns a rate, method `delta`; null: undefined, as people passed all or failed all, or the judge is no better
 *   than chance
 * @throws RangeError a count is no integer in its range, or the level out of its range
 */
export function roganGladen(
  passed: number,
  calls: number,
  counts: BinaryCounts,
  level = DEFAULT_LEVEL,
): Interval | null {
  checkLevel(level);
  checkCount('calls', calls, 1);
  checkCount('passed', passed);
  if (passed > calls) throw new RangeError(`passed must be at most ${calls}, got ${passed}`);
  Object.entries(counts).forEach(([name, count]) => checkCount(name, count));
  const positives = counts.truePositives + counts.falseNegatives;
  const negatives = counts.trueNegatives + counts.falsePositives;
  if (positives === 0 || negatives === 0) return null;
  const truePositiveRate = counts.truePositives / positives;
  const trueNegativeRate = counts.trueNegatives / negatives;
  const youden = truePositiveRate + trueNegativeRate - 1;
  if (youden <= 0) return null;
  const rate = passed / calls;
  const corrected = (rate + trueNegativeRate - 1) / youden;
  const variance =
    spread(rate, calls) +
    corrected ** 2 * spread(truePositiveRate, positives) +
    (1 - corrected) ** 2 * spread(trueNegativeRate, negatives);
  const half = (twoSidedNormal(level) * Math.sqrt(variance)) / youden;
  return {
    estimate: clip(corrected, 0, 1),
    low: clip(corrected - half, 0, 1),
    high: clip(corrected + half, 0, 1),
    level,
    method: 'delta',
  };
}

/** Variance of a rate among so many. */
const spread = (rate: number, count: number): number => (rate * (1 - rate)) / count;
