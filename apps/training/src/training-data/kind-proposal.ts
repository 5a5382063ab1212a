import type { TrainingDataKind } from '@hone/contracts';

import { isTrainable, type Split } from './arranging/arrange.js';

/** Kinds that learn from judgements, the one first that is taken when several use as many calls. */
export const PROPOSED_KINDS = ['rl', 'preference', 'thumbs'] as const satisfies readonly TrainingDataKind[];
type ProposedKind = (typeof PROPOSED_KINDS)[number];

/** What the calls of a selection carry for a kind. */
export interface KindYield {
  readonly kind: ProposedKind;
  /** Calls that a job of the kind can learn from. */
  readonly used: number;
  /** Whether a job can learn from them: there are not too many, and of thumbs some are up and some are down. */
  readonly mayServe: boolean;
}

export interface Proposal {
  readonly kind: TrainingDataKind;
  readonly reason: string;
}

/** Calls of the data that a job can learn from. */
export function usedCalls(splits: readonly Split[], kind: TrainingDataKind): number {
  const lines = splits.flatMap((split) => split.lines).filter((line) => kind !== 'rl' || isTrainable(line));
  return new Set(lines.flat().map(({ id }) => id)).size;
}

const WORDS: Record<ProposedKind, string> = {
  rl: 'in groups with different rewards and token ids of a model',
  preference: 'in pairs of a better and a worse answer',
  thumbs: 'liked or disliked by themselves',
};

/** The kind that uses most of the calls; fine-tuning where nothing tells good answers from bad ones. */
export function propose(yields: readonly KindYield[], calls: number): Proposal {
  const useful = yields.filter(({ used, mayServe }) => used > 0 && mayServe);
  const told = yields.map(({ kind, used }) => `${used} ${WORDS[kind]} (${kind})`).join(', ');
  const [best] = useful.toSorted((a, b) => b.used - a.used);
  if (best) return { kind: best.kind, reason: `Of ${calls} calls ${told}: ${best.kind} uses most of them.` };
  return { kind: 'sft', reason: `Of ${calls} calls ${told}: nothing tells better answers from worse ones.` };
}
