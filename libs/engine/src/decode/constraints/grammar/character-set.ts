import { EMPTY, escapeCharacter, literal } from './ebnf.js';

const ASCII = 128;

/**
 * A set of characters. xgrammar's classes are right for ASCII only, and in negation for all the rest together; so
 * beyond ASCII a set holds everything or a few single characters.
 */
export interface CharacterSet {
  /** ASCII codes. */
  readonly ascii: ReadonlySet<number>;
  /** Every character beyond ASCII. */
  readonly hasAllOthers: boolean;
  /** Single characters beyond ASCII; empty when it has all of them. */
  readonly others: ReadonlySet<number>;
}

export function characterSet(codes: Iterable<number>, hasAllOthers = false): CharacterSet {
  const all = [...codes];
  return {
    ascii: new Set(all.filter((code) => code < ASCII)),
    hasAllOthers,
    others: new Set(hasAllOthers ? [] : all.filter((code) => code >= ASCII)),
  };
}

export function union(sets: readonly CharacterSet[]): CharacterSet {
  return characterSet(
    sets.flatMap(({ ascii, others }) => [...ascii, ...others]),
    sets.some(({ hasAllOthers }) => hasAllOthers),
  );
}

/**
 * Characters outside the set. If the set holds single characters beyond ASCII, the result holds none beyond ASCII: a
 * subset of the exact complement, never a superset.
 */
export function complement({ ascii, hasAllOthers, others }: CharacterSet): CharacterSet {
  const codes = Array.from({ length: ASCII }, (_, code) => code).filter((code) => !ascii.has(code));
  return characterSet(codes, !hasAllOthers && others.size === 0);
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export function without(
  { ascii, hasAllOthers, others }: CharacterSet,
  excluded: (code: number) => boolean,
): CharacterSet {
  return characterSet(
    [...ascii, ...others].filter((code) => !excluded(code)),
    hasAllOthers,
  );
}

/** Expressions of which each match is one character of the set, all of them together; none when it is empty. */
export function toOptions({ ascii, hasAllOthers, others }: CharacterSet): string[] {
  const parts: string[] = Array.from(others, (code) => literal(String.fromCodePoint(code)));
  if (hasAllOthers) {
    const missing = range(0, ASCII - 1).filter((code) => !ascii.has(code));
    // An empty negated class is invalid: NUL is excluded, which occurs neither in JSON nor in a model's text.
    parts.push(`[^${classBody(missing.length === 0 ? [0] : missing)}]`);
  } else if (ascii.size > 0) parts.push(`[${classBody([...ascii].sort((a, b) => a - b))}]`);
  return parts.filter((part) => part !== EMPTY);
}

/** Ascending codes as single characters and ranges. */
function classBody(codes: readonly number[]): string {
  let body = '';
  for (let index = 0; index < codes.length;) {
    let end = index;
    while (codes[end + 1] === (codes[end] as number) + 1) end += 1;
    body += escape(codes[index] as number);
    if (end > index) body += `-${escape(codes[end] as number)}`;
    index = end + 1;
  }
  return body;
}

const escape = (code: number) => escapeCharacter(String.fromCodePoint(code));
