import type { Candidate } from './candidate.js';
import type { Slot } from './spool.js';

/** What is kept in memory of a candidate. */
export interface Entry extends Omit<Candidate, 'text' | 'question' | 'correction'> {
  readonly slot: Slot;
  /** `preference`: what is answered. Null: another kind. */
  readonly question: Slot | null;
  /** `preference`: the corrected answer, and the digest of its text. Null: there is none. */
  readonly correction: { readonly slot: Slot; readonly digest: string } | null;
  /** `preference`: digest of the answer; else empty. */
  readonly answer: string;
}

/** A line of a file: one example, the trajectories of one group, or the chosen and the rejected answer of a pair. */
export type Line = readonly Entry[];
