import { endOfString } from '@hone/json';

import { GAP, termsIn } from './terms.js';

/** Of each side: the first half and the last half of so many characters of JSON text, and of so many terms, are found. */
export const MAX_SIDE_CHARACTERS = 65_536;
export const MAX_SIDE_TERMS = 8_000;

/** JSON texts of a call; null: none. They may be cut off at the end. */
export interface SearchedTexts {
  readonly inputs: string | null;
  readonly output: string | null;
}

/** What the sides of a call are found by. */
export interface CallDocument {
  readonly inputs: readonly number[];
  readonly output: readonly number[];
}

export const toCallDocument = ({ inputs, output }: SearchedTexts): CallDocument => ({
  inputs: toDocument(inputs),
  output: toDocument(output),
});

/**
 * What JSON text is found by: the numbers of its terms in their order, then those of single characters. Strings are
 * searched, keys of objects are not. Text that is cut off at its end is read as far as it goes.
 */
export function toDocument(json: string | null): number[] {
  if (json === null) return [];
  const { sequence, singles } = termsIn(stringsIn(json));
  const kept = withoutMiddle(sequence);
  for (const single of [...singles].slice(0, MAX_SIDE_TERMS)) kept.push(single, GAP);
  return kept;
}

function withoutMiddle(terms: number[]): number[] {
  if (terms.length <= MAX_SIDE_TERMS) return terms;
  const half = MAX_SIDE_TERMS / 2;
  return [...terms.slice(0, half), GAP, ...terms.slice(1 - half)];
}

/** The string values of JSON text, decoded; of long text those at its two ends. */
function stringsIn(json: string): string[] {
  const spans = spansIn(json);
  const total = spans.reduce((sum, [start, end]) => sum + end - start, 0);
  if (total <= MAX_SIDE_CHARACTERS) return spans.map(([start, end]) => decode(json.slice(start, end)));
  const half = MAX_SIDE_CHARACTERS / 2;
  const head = take(spans, half, ([start, end], left) => decode(json.slice(start, Math.min(end, start + left))));
  const tail = take(spans.toReversed(), half, ([start, end], left) =>
    decode(json.slice(Math.max(start, end - left), end)),
  );
  return [...head, ...tail.toReversed()];
}

/** Reads spans until their characters are used up. */
function take(spans: Span[], characters: number, read: (span: Span, left: number) => string): string[] {
  const texts: string[] = [];
  let left = characters;
  for (const span of spans) {
    if (left <= 0) break;
    texts.push(read(span, left));
    left -= span[1] - span[0];
  }
  return texts;
}

type Span = readonly [start: number, end: number];

/** Where the string values of JSON text are, without their quotes; that of a text that is cut ends with it. */
function spansIn(json: string): Span[] {
  const spans: Span[] = [];
  for (let quote = json.indexOf('"'); quote >= 0;) {
    const after = endOfString(json, quote);
    const end = after < 0 ? json.length : after - 1;
    let next = end + 1;
    while (json[next] === ' ' || json[next] === '\n' || json[next] === '\r' || json[next] === '\t') next++;
    if (json[next] !== ':') spans.push([quote + 1, end]);
    quote = json.indexOf('"', end + 1);
  }
  return spans;
}

const CUT_ESCAPE_AT_END = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/** What the inside of a string stands for. Where an escape was cut through, its rest is left out. */
function decode(inside: string): string {
  if (!inside.includes('\\')) return inside;
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return lenient(inside);
  }
}

function lenient(inside: string): string {
  try {
    return JSON.parse(`"${inside.replace(CUT_ESCAPE_AT_END, '')}"`) as string;
  } catch {
    return inside.replaceAll(/\\(?:u[0-9a-fA-F]{0,4}|.)?/g, ' ');
  }
}
