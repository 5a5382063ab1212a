import type { GateDto, GateGuardDto } from '@hone/client';

import { formatPercent, isRatio } from '../../shared/gates/guards.js';
import type { Tone } from '../../shared/ui/badge.js';

/** What a gate says, in a word, and how good that is. */
export interface Said {
  readonly text: string;
  readonly tone: Tone;
}

const VERDICTS: Readonly<Record<NonNullable<GateDto['verdict']>, Said>> = {
  promote: { text: 'promote', tone: 'good' },
  reject: { text: 'reject', tone: 'bad' },
  undecided: { text: 'undecided', tone: 'muted' },
  needs_labels: { text: 'needs labels', tone: 'warn' },
};

/** The verdict, else how the gate stands. */
export function saidBy({ status, verdict, labels, labels_asked }: GateDto): Said {
  if (verdict !== null) return VERDICTS[verdict];
  if (status === 'failed') return { text: 'failed', tone: 'bad' };
  if (status === 'cancelled') return { text: 'cancelled', tone: 'muted' };
  return { text: labels < labels_asked ? 'waits for labels' : 'open', tone: 'warn' };
}

export const BASES: Readonly<Record<NonNullable<GateDto['basis']>, string>> = {
  fact: 'facts, which are nobody’s opinion',
  people: 'people’s labels of all pairs',
  corrected: 'a judge, corrected by people’s labels',
  judge: 'a judge alone, which no label corrects',
};

export const GUARD_STATES: Readonly<Record<GateGuardDto['state'], Said & { readonly meaning: string }>> = {
  holds: { text: 'holds', tone: 'good', meaning: 'It is proven that the loss is not above the margin.' },
  broken: { text: 'broken', tone: 'bad', meaning: 'It is proven that the loss is above the margin.' },
  unproven: { text: 'unproven', tone: 'warn', meaning: 'The loss may be below the margin or above it.' },
  undefined: { text: 'too few pairs', tone: 'muted', meaning: 'Too few pairs have a value on both sides.' },
};

/** The largest loss that is accepted, in words. */
export function formatMargin(name: string, margin: number): string {
  if (isRatio(name)) return `${formatPercent(margin)} more`;
  return isShare(name) ? formatPercent(margin) : String(Number(margin.toPrecision(3)));
}

/** A loss in the unit in which the interface gives it. */
export const formatLoss = (name: string, loss: number): string => {
  const text = isShare(name) ? formatPercent(Math.abs(loss)) : String(Number(Math.abs(loss).toPrecision(3)));
  return loss < 0 ? `−${text}` : text;
};

/** Other scores and what is a ratio have units of their own; slices and rewards are shares of the metric's scale. */
const isShare = (name: string): boolean => !isRatio(name) && !name.startsWith('scores.');
