import type { JudgeReportDto, ReportMethod } from '@hone/contracts';
import { estimateMean, roganGladen } from '@hone/statistics';

import { countsOf, hasWeights, toFigure } from './agreement.js';
import type { LabelledCalls } from './labelled-calls.js';

type MeanFigures = Pick<
  JudgeReportDto,
  'estimate' | 'low' | 'high' | 'method' | 'labels' | 'calls' | 'judge_only' | 'lambda' | 'check'
>;
/** Of fewer calls no variance is known. */
const MIN_CALLS = 2;

/** The mean over all judged calls, corrected by labels where there are enough. */
export function meanFigures(calls: LabelledCalls, level: number): MeanFigures {
  const counts = { labels: calls.human.length, calls: calls.human.length + calls.others.count };
  if (counts.calls < MIN_CALLS) return { ...NOTHING, ...counts, judge_only: true };
  const { estimate, low, high, method, judgeOnly, lambda } = estimateMean(calls, level);
  return {
    ...{ estimate, low, high, ...counts, judge_only: judgeOnly, lambda },
    method: judgeOnly ? 'uncorrected' : (method as ReportMethod),
    check: judgeOnly || !calls.isRate || hasWeights(calls) ? null : toFigure(checkOf(calls, level)),
  };
}

const NOTHING = { estimate: null, low: null, high: null, method: null, lambda: null, check: null };

/** The share by the judge's error rates alone. */
function checkOf(calls: LabelledCalls, level: number) {
  const { judge, others } = calls;
  const passed = judge.reduce((sum, value) => sum + value, 0) + Math.round(others.mean * others.count);
  return roganGladen(passed, judge.length + others.count, countsOf(calls), level);
}
