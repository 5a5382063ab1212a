import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  endOfString,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '@hone/json/bytes';

/** Smaller bodies cannot reach the limit in a harmful time, so they are not counted. */
const SMALL_BYTES = 524_288;
/** Members of objects, objects and lists in one body. Ours: several times as many as the largest real conversations. */
export const MAX_MEMBERS = 200_000;
/** Items of lists and members: of numbers, the parser takes a tenth of a microsecond for each. */
export const MAX_VALUES = 2_000_000;

/**
 * Finds a body with so many members, objects and lists that parsing it would block the event loop: parsing takes some
 * microseconds for each, counting takes nanoseconds. Plain values of lists are limited, too, to ten times as many.
 *
 * @param json need not be valid
 * @returns the top-level field, with its quotes, that exceeds the limit; null: none does
 */
export function fieldOverMemberLimit(json: Buffer): string | null {
  if (json.length < SMALL_BYTES) return null;
  let depth = 0;
  let members = 0;
  let commas = 0;
  let text = { start: 0, end: 0 };
  let field = text;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (depth === 1) text = { start: at, end };
      at = end - 1;
    } else if (byte === COLON) {
      if (depth === 1) field = text;
      members++;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth++;
      members++;
    } else if (byte === COMMA) commas++;
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth--;
    if (members > MAX_MEMBERS || commas >= MAX_VALUES) return json.toString('utf8', field.start, field.end);
  }
  return null;
}
