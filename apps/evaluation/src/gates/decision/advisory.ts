import type { GatePair } from './gate-pair.js';
import type { GateRules } from './gate-rules.js';

/** Least share of what people pass that a judge has to pass, and of what they fail that it has to fail. */
const MIN_RATE = 0.8;
/** Of fewer labels nothing is said about the judge: the interval is wide enough by itself. */
const MIN_LABELS = 20;
const PASS_ABOVE = 0.5;

/**
 * Whether a judge agrees too little with people to decide anything, by the labels of the gate itself. They were drawn with equal
 * chances, so that its rates among them are its rates among all.
 */
export function isAdvisory(pairs: readonly GatePair[], { basis }: Pick<GateRules, 'basis'>): boolean {
  if (basis !== 'corrected') return false;
  const judged = pairs.flatMap(({ scores, labels, isDrawn }) =>
    isDrawn && labels ? labels.map((label, side) => [label, scores[side] as number] as const) : [],
  );
  if (judged.length < MIN_LABELS) return false;
  const rateOf = (isPassed: boolean): number | null => {
    const meant = judged.filter(([label]) => label > PASS_ABOVE === isPassed);
    const agreed = meant.filter(([, score]) => score > PASS_ABOVE === isPassed);
    return meant.length === 0 ? null : agreed.length / meant.length;
  };
  const rates = [rateOf(true), rateOf(false)];
  return rates.some((rate) => rate === null || rate < MIN_RATE);
}
