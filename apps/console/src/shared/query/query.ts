/** A value that a field is compared with. */
export type Literal = string | number | boolean | null;

/** Where a value of a call is: a column, or its short name, and keys and indexes below it. */
export type Path = readonly string[];

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Where words are looked for; where none is named, in both together. */
export const SEARCH_SIDES = ['inputs', 'output'] as const;
export type SearchSide = (typeof SEARCH_SIDES)[number];

/** What the query line says of calls. `and` and `or` have two parts or more. */
export type Query =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query }
  | { readonly kind: 'compare'; readonly path: Path; readonly operator: Comparison; readonly value: Literal }
  | { readonly kind: 'contains'; readonly path: Path; readonly text: string }
  | { readonly kind: 'search'; readonly side: SearchSide | null; readonly words: string }
  | { readonly kind: 'in'; readonly path: Path; readonly values: readonly Literal[] }
  | { readonly kind: 'exists'; readonly path: Path }
  /** A call of the trace meets the part. */
  | { readonly kind: 'trace'; readonly part: Query }
  /** What somebody said about the call meets the part, whose paths lead into records of feedback. */
  | { readonly kind: 'feedback'; readonly part: Query };

/** A part of the text of a query that cannot be read, and why. */
export class QueryError extends Error {
  /** @param start of the part, in UTF-16 units; at the end of the text: something is missing there */
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

/** All that must hold at once. */
export const conjunctsOf = (query: Query | null): readonly Query[] =>
  query === null ? [] : query.kind === 'and' ? query.parts : [query];

export function allOf(parts: readonly Query[]): Query | null {
  return parts.length > 1 ? { kind: 'and', parts } : (parts[0] ?? null);
}
