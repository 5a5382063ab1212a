import type { JudgeAgreementDto, JudgeFigureDto } from '@hone/contracts';
import {
  binaryAgreement,
  type BinaryCounts,
  cohenKappa,
  confusionMatrix,
  gwetAc1,
  type Interval,
  pearson,
  wilsonInterval,
} from '@hone/statistics';

import type { Criterion } from './criterion.js';
import type { LabelledCalls } from './labelled-calls.js';

/** A scale with more numbers has no matrix: its cells would be empty. */
const MAX_CATEGORIES = 21;
/** Of fewer pairs no correlation has an interval. */
const MIN_CORRELATED = 4;

/** How far judge and people agree. Null: there is no label. */
export function agreementOf(calls: LabelledCalls, criterion: Criterion, level: number): JudgeAgreementDto | null {
  const { human, judge } = calls;
  if (human.length === 0) return null;
  const correlation = human.length < MIN_CORRELATED ? null : pearson(human, judge, level);
  return { ...verdictFigures(calls, criterion, level), pearson: toFigure(correlation) };
}

type VerdictFigures = Omit<JudgeAgreementDto, 'pearson'>;
const NO_FIGURES: VerdictFigures = { matrix: null, tpr: null, tnr: null, accuracy: null, kappa: null, ac1: null };

function verdictFigures(calls: LabelledCalls, criterion: Criterion, level: number): VerdictFigures {
  const { human, judge, isRate } = calls;
  const categories = isRate ? [1, 0] : scaleOf(criterion);
  const isOnScale = (value: number): boolean => categories.includes(value);
  if (categories.length === 0 || !human.every(isOnScale) || !judge.every(isOnScale)) return NO_FIGURES;
  const matrix = confusionMatrix(human, judge, categories);
  const equal = matrix.counts.reduce((sum, row, at) => sum + (row[at] as number), 0);
  const rates = isRate ? binaryAgreement(countsOf(calls), level) : null;
  return {
    matrix: { categories, counts: matrix.counts.map((row) => [...row]) },
    tpr: toFigure(rates?.truePositiveRate),
    tnr: toFigure(rates?.trueNegativeRate),
    accuracy: toFigure(wilsonInterval(equal, human.length, level)),
    kappa: toFigure(cohenKappa(matrix, level)),
    ac1: toFigure(gwetAc1(matrix, level)),
  };
}

/** Every whole number of a short scale. */
function scaleOf({ scale }: Criterion): number[] {
  if (scale === null) return [];
  const [min, max] = scale;
  const size = max - min + 1;
  return size > MAX_CATEGORIES ? [] : Array.from({ length: size }, (_none, at) => min + at);
}

/** Labelled calls by verdict, where all are 0 or 1. */
export function countsOf({ groups }: LabelledCalls): BinaryCounts {
  const count = (human: number, judge: number): number =>
    groups.filter((one) => one.human === human && one.judge === judge).reduce((sum, { calls }) => sum + calls, 0);
  return {
    truePositives: count(1, 1),
    falsePositives: count(0, 1),
    falseNegatives: count(1, 0),
    trueNegatives: count(0, 0),
  };
}

/** The figure without what the whole report says. */
export const toFigure = (interval: Interval | null | undefined): JudgeFigureDto | null =>
  interval ? { estimate: interval.estimate, low: interval.low, high: interval.high } : null;
