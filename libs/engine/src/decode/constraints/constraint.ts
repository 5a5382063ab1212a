import type { TokenMask } from '../sampling/token-mask.js';

/** What an answer's text must fit. */
export type ConstraintSource =
  | { readonly kind: 'json_schema'; readonly schema: unknown; readonly whitespace: WhitespaceRule }
  | { readonly kind: 'json_object'; readonly whitespace: WhitespaceRule }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'choice'; readonly options: readonly string[] };

/** Blanks and line ends between the parts of a JSON text: at most a few wherever JSON allows them, or none. */
export type WhitespaceRule = 'any' | 'none';

/** The constraint of one choice: says which tokens may come next. */
export interface Constraint {
  /** Allowed next tokens; null: not known yet, `whenReady` tells. */
  readonly mask: TokenMask | null;
  /** Why there will be no mask; null as long as there may be. */
  readonly failure: Error | null;
  /** Takes note of the token that was chosen; the next mask is worked out meanwhile. */
  accept(id: number): void;
  /** Calls back once, as soon as there is a mask or a failure. */
  whenReady(callback: () => void): void;
  close(): void;
}

/** Makes the constraints of one vocabulary. */
export interface ConstraintFactory {
  create(source: ConstraintSource): Constraint;
}
