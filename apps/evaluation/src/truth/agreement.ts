import type { JudgeAgreementDto, JudgeFigureDto } from '@hone/contracts';
import {
  type BinaryCounts,
  cohenKappa,
  confusionMatrix,
  gwetAc1,
  type Interval,
  pearson,
  weightedRate,
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
  const weights = weightsOf(calls);
  const correlation = human.length < MIN_CORRELATED ? null : pearson(human, judge, level, weights);
  return { ...verdictFigures(calls, weights, criterion, level), pearson: toFigure(correlation) };
}

/** Of labels that were drawn with unequal chances: of all others each counts as one. */
export const hasWeights = ({ chances }: LabelledCalls): boolean =>
  chances?.some((chance) => chance !== chances[0]) ?? false;

/** Of each label: 1/chance, or 1. */
export function weightsOf(calls: LabelledCalls): number[] {
  const { human, chances } = calls;
  return chances && hasWeights(calls) ? chances.map((chance) => 1 / chance) : human.map(() => 1);
}

type VerdictFigures = Omit<JudgeAgreementDto, 'pearson'>;
const NO_FIGURES: VerdictFigures = { matrix: null, tpr: null, tnr: null, accuracy: null, kappa: null, ac1: null };

function verdictFigures(
  calls: LabelledCalls,
  weights: readonly number[],
  criterion: Criterion,
  level: number,
): VerdictFigures {
  const { human, judge, isRate } = calls;
  const categories = isRate ? [1, 0] : scaleOf(criterion);
  const isOnScale = (value: number): boolean => categories.includes(value);
  if (categories.length === 0 || !human.every(isOnScale) || !judge.every(isOnScale)) return NO_FIGURES;
  const { counts } = confusionMatrix(human, judge, categories);
  const matrix = confusionMatrix(human, judge, categories, weights);
  const equal = human.map((label, at) => Number(label === judge[at]));
  const rates = isRate ? passRates(human, judge, weights, level) : null;
  return {
    matrix: { categories, counts: counts.map((row) => [...row]) },
    tpr: toFigure(rates?.tpr),
    tnr: toFigure(rates?.tnr),
    accuracy: toFigure(weightedRate(equal, weights, level)),
    kappa: toFigure(cohenKappa(matrix, level)),
    ac1: toFigure(gwetAc1(matrix, level)),
  };
}

/** Rates at which the judge says 1 where people do, and 0 where people do. */
export function passRates(
  human: readonly number[],
  judge: readonly number[],
  weights: readonly number[],
  level: number,
) {
  const rateOf = (verdict: number): Interval | null => {
    const isMeant = (_value: number, at: number): boolean => human[at] === verdict;
    const agrees = judge.filter(isMeant).map((value) => Number(value === verdict));
    return weightedRate(agrees, weights.filter(isMeant), level);
  };
  return { tpr: rateOf(1), tnr: rateOf(0) };
}

/** Every whole number of a short scale. */
function scaleOf({ scale }: Criterion): number[] {
  if (scale === null) return [];
  const [min, max] = scale;
  const size = max - min + 1;
  return size > MAX_CATEGORIES ? [] : Array.from({ length: size }, (_none, at) => min + at);
}

/** Labelled calls by verdict, where all are 0 or 1. */
export function countsOf({ human, judge }: LabelledCalls): BinaryCounts {
  const count = (label: number, verdict: number): number =>
    human.filter((value, at) => value === label && judge[at] === verdict).length;
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
