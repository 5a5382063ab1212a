import { MIN_LABELS } from '@hone/statistics';

import { MIN_RATE } from '../../truth/judge-gate.js';
import type { GatePair } from './gate-pair.js';
import type { GateRules } from './gate-rules.js';

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
  // Of fewer labels nothing is said about the judge: the interval is wide enough by itself.
  if (judged.length < MIN_LABELS) return false;
  const rateOf = (isPassed: boolean): number | null => {
    const meant = judged.filter(([label]) => label > PASS_ABOVE === isPassed);
    const agreed = meant.filter(([, score]) => score > PASS_ABOVE === isPassed);
    return meant.length === 0 ? null : agreed.length / meant.length;
  };
  const rates = [rateOf(true), rateOf(false)];
  return rates.some((rate) => rate === null || rate < MIN_RATE);
}
