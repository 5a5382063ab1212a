/**
 * Letters and digits of any script. JSON Schema's portable subset of regular expressions has no `\p{…}`, so generators in
 * other languages cannot read it (https://json-schema.org/understanding-json-schema/reference/regular_expressions).
 */
const LETTERS_AND_DIGITS = '\\p{L}\\p{N}';
const LAST_CODE_POINT = 0x10ffff;

let lettersAndDigits: string | undefined;

/** The same pattern without `\p{…}`. @param pattern of `@hone/contracts`, read with the `u` flag */
export function toPortablePattern(pattern: string): string {
  lettersAndDigits ??= rangesOf(/[\p{L}\p{N}]/u);
  return pattern.replaceAll(LETTERS_AND_DIGITS, lettersAndDigits);
}

/** A copy of a document, or of a part of it, in which the patterns of all schemas are portable. */
export function withPortablePatterns<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(withPortablePatterns) as T;
  const entries = Object.entries(node).map(([key, value]: [string, unknown]) => [
    key,
    key === 'pattern' && typeof value === 'string' ? toPortablePattern(value) : withPortablePatterns(value),
  ]);
  return Object.fromEntries(entries) as T;
}

/** Ranges of a class, in which letters stand for themselves: escapes would make them four times as long. */
function rangesOf(isIn: RegExp): string {
  let ranges = '';
  for (let from = 0; from <= LAST_CODE_POINT; from++) {
    if (!isMember(isIn, from)) continue;
    let to = from;
    while (isMember(isIn, to + 1)) to++;
    ranges += rangeText(from, to);
    from = to;
  }
  return ranges;
}

const isMember = (isIn: RegExp, point: number): boolean =>
  point <= LAST_CODE_POINT && isIn.test(String.fromCodePoint(point));

function rangeText(from: number, to: number): string {
  const first = String.fromCodePoint(from);
  const last = String.fromCodePoint(to);
  return from === to ? first : to === from + 1 ? first + last : `${first}-${last}`;
}
