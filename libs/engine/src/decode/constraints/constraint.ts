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
  /** Allowed next tokens; null: not computed yet, see `whenReady`. */
  readonly mask: TokenMask | null;
  /** The error that ended the constraint; null: none. */
  readonly failure: Error | null;
  /** Advances the automaton by the sampled token; the next mask is computed in the background. */
  accept(id: number): void;
  /** Calls back when there is a mask or a failure; at once if there is one already. */
  whenReady(callback: () => void): void;
  /** Frees the constraint. Idempotent. */
  close(): void;
}

/** Makes the constraints of one vocabulary. */
export interface ConstraintFactory {
  create(source: ConstraintSource): Constraint;
}
