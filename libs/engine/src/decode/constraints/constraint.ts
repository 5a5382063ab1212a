import type { TokenMask } from '../sampling/token-mask.js';

/** What an answer's text must fit. */
export type ConstraintSource =
  | (JsonStyle & { readonly kind: 'json_schema'; readonly schema: unknown })
  | (JsonStyle & { readonly kind: 'json_object' })
  /** The whole text matches. */
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'choice'; readonly options: readonly string[] };

export interface JsonStyle {
  /** Between the parts of a JSON text: a few blanks or a line end with an indentation, nothing, or a pattern of them. */
  readonly whitespace: 'any' | 'none' | { readonly pattern: string };
  /** Objects have declared properties only, even where the schema says otherwise. */
  readonly onlyDeclared: boolean;
}

/** The constraint of one choice: says which tokens may come next. */
export interface Constraint {
  /** Allowed next tokens; null: not known yet, `whenReady` tells. */
  readonly mask: TokenMask | null;
  /** Why there will be no mask; null as long as there may be. */
  readonly failure: Error | null;
  /** Takes note of the token that was chosen; the next mask is worked out meanwhile. */
  accept(id: number): void;
  /** Calls back as soon as there is a mask or a failure: at once when there is. */
  whenReady(callback: () => void): void;
  /** Frees it. May be called again. */
  close(): void;
}

/** Makes the constraints of one vocabulary. */
export interface ConstraintFactory {
  create(source: ConstraintSource): Constraint;
}
