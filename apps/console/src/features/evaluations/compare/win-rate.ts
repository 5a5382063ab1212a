import type { ComparedFigureDto, WinRateDto } from '@hone/client';

import { formatMetric } from '../../../shared/format/format.js';
import { isBounded } from './metric.js';

/** The win rate of answers that are as good as the baseline's. */
export const HALF = 0.5;

/** The criterion of its judge that a win rate is the mean of. */
export const winMetric = ({ metric }: WinRateDto): string => `${metric}.win`;

/** Of fewer rows nothing is said, as of other metrics. */
const MIN_ROWS = 6;

/** Whether a rate is of enough rows to say which answers are better. */
export const isDecided = (rate: ComparedFigureDto): boolean => isBounded(rate) && rate.calls >= MIN_ROWS;

/** `better` or `worse` where the interval leaves out a half. */
export function changeOfRate(rate: ComparedFigureDto): 'better' | 'worse' | 'same' {
  if (!isBounded(rate) || rate.calls < MIN_ROWS) return 'same';
  return rate.low > HALF ? 'better' : rate.high < HALF ? 'worse' : 'same';
}

/** The rate less a half, so that 0 is no difference. */
export function aboveHalf(rate: ComparedFigureDto): ComparedFigureDto {
  const less = (value: number | null) => (value === null ? null : value - HALF);
  return { ...rate, estimate: less(rate.estimate), low: less(rate.low), high: less(rate.high) };
}

/** What the line of its interval shows, for those who do not see it. */
export function rateInWords(rate: ComparedFigureDto): string {
  if (rate.estimate === null) return 'No row is compared';
  const share = `Win rate ${formatMetric(rate.estimate)}`;
  if (!isBounded(rate)) return `${share}, too few rows for an interval`;
  const holds = rate.low <= HALF && rate.high >= HALF ? 'holds' : 'leaves out';
  return `${share}, interval ${formatMetric(rate.low)} to ${formatMetric(rate.high)}, which ${holds} 0.5`;
}
