import { checkCount, checkLevel, checkValues, isBinary } from '../data/checks.js';
import { DEFAULT_LEVEL } from '../data/interval.js';
import { checkMoments, type Moments, momentsOf } from '../data/moments.js';
import { twoSidedT } from '../intervals/two-sided.js';
import { wilsonInterval } from '../intervals/wilson.js';
import type { MeanEstimate } from './mean-estimate.js';

/**
 * The mean of people's labels alone, drawn with equal chances: Wilson's interval of 0 and 1, else Student's t.
 *
 * @param human labels, at least 2
 * @param calls of which the labels were drawn; default: the labels
 * @throws RangeError fewer than two labels, or one that is not finite; the level is out of its range
 */
export function labelsOnlyMean(human: readonly number[], calls = human.length, level = DEFAULT_LEVEL): MeanEstimate {
  checkValues('human', human, 2);
  checkCount('calls', calls, human.length);
  const moments = momentsOf(human);
  return { ...meanOf('labels-only', moments, isBinary(human), level), labels: human.length, calls, judgeOnly: false };
}

/**
 * The mean of a judge's verdicts, as if they were true: Wilson's interval of 0 and 1, else Student's t. It holds the
 * true mean only where the judge's errors cancel.
 *
 * @param judge moments of the verdicts of at least two calls
 * @param isRate the verdicts are 0 or 1
 * @throws RangeError fewer than two calls, malformed moments, or a level out of its range
 */
export function judgeOnlyMean(judge: Moments, isRate: boolean, level = DEFAULT_LEVEL): MeanEstimate {
  checkMoments('judge', judge);
  if (judge.count < 2) throw new RangeError(`judge must hold at least 2 calls, got ${judge.count}`);
  return { ...meanOf('judge-only', judge, isRate, level), labels: 0, calls: judge.count, judgeOnly: true };
}

function meanOf(
  source: 'labels-only' | 'judge-only',
  { count, mean, variance }: Moments,
  isRate: boolean,
  level: number,
) {
  checkLevel(level);
  const standardError = Math.sqrt(variance / count);
  const shared = { standardError, lambda: null, level };
  if (isRate) {
    const { low, high, estimate } = wilsonInterval(Math.round(mean * count), count, level);
    return { ...shared, estimate, low, high, method: `${source} wilson` as const };
  }
  const half = twoSidedT(level, count - 1) * standardError;
  return { ...shared, estimate: mean, low: mean - half, high: mean + half, method: `${source} t` as const };
}
