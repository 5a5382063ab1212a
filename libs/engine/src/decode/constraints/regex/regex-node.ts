import type { CharacterSet } from '../grammar/character-set.js';

/** A regular expression, parsed. */
export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'either'; readonly options: readonly RegexNode[] }
  /** `max` null: without limit. */
  | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number | null };

/** A top-level alternative. Anchors are supported at its ends only. */
export interface AnchoredNode {
  readonly node: RegexNode;
  readonly startsAtStart: boolean;
  readonly endsAtEnd: boolean;
}
