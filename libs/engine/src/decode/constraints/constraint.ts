import type { TokenMask } from '../sampling/token-mask.js';

/** A constraint on an answer's text. */
export type ConstraintSource =
  | (JsonStyle & { readonly kind: 'json_schema'; readonly schema: unknown })
  | (JsonStyle & { readonly kind: 'json_object' })
  /** The whole text matches. */
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'choice'; readonly options: readonly string[] };

export interface JsonStyle {
  /** Whitespace between JSON tokens: a space or a line break with indentation, none, or a pattern. */
  readonly whitespace: 'any' | 'none' | { readonly pattern: string };
  /** Objects have declared properties only, even where the schema allows others. */
  readonly onlyDeclared: boolean;
}

/** The constraint of one choice: a logit mask per token position. */
export interface Constraint {
  /** Allowed next tokens, or the proposed one alone; null: not known yet, see `whenReady`. */
  readonly mask: TokenMask | null;
  /** No mask is under way: `propose` has to be called. */
  readonly awaitsProposal: boolean;
  /** The error that ended the constraint; null: none. */
  readonly failure: Error | null;
  /**
   * Advances the automaton by the sampled token; the next mask is computed in the background.
   *
   * @param willPropose the next token will be proposed: a mask that takes long is computed only if that one is refused
   */
  accept(id: number, willPropose?: boolean): void;
  /**
   * Asks whether `id` may come next, where the constraint awaits it; `mask` then allows nothing else, or it is the whole
   * one.
   *
   * @param id the token that is chosen if it is allowed; -1: none
   */
  propose(id: number): void;
  /** Calls back when there is a mask or a failure; at once if there is one already. */
  whenReady(callback: () => void): void;
  /** Frees the constraint. Idempotent. */
  close(): void;
}

/** Makes the constraints of one vocabulary. */
export interface ConstraintFactory {
  create(source: ConstraintSource): Constraint;
}
