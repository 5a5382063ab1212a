import {
  isJsonObject,
  type JsonValue,
  MAX_JSON_LEVELS,
  parseJson,
  parseRef,
  searchableText,
  stringifyJson,
  withoutScheme,
} from '@hone/contracts';
import { scanJson } from '@hone/json/bytes';

import type { JsonBytes, JsonDraft } from './call-halves.record.js';
import { isLargeText, MAX_INLINE_BYTES } from './values/inline.js';

export { isLargeText };

export function toJsonDraft(value: JsonValue): JsonDraft {
  const text = stringifyJson(value);
  const copy = isLargeText(text) ? text : searchableText(value, text);
  return { text, searchable: copy === text ? null : copy, refs: text.includes(':///') ? refsIn(value) : [] };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/**
 * The draft of valid JSON text in UTF-8, which stays as it is but for line breaks between its tokens. Mostly it need not
 * be parsed. Values too large for a row are not searched for refs.
 */
export function draftOfBytes(json: Buffer): JsonBytes {
  const { hasLineBreaks, isSpecial, brackets } = scanJson(json);
  const bytes = hasLineBreaks ? withoutLineBreaks(json) : json;
  const isPlain = !isSpecial && brackets <= MAX_JSON_LEVELS;
  if (isPlain || bytes.length > MAX_INLINE_BYTES) return plainDraft(bytes);
  try {
    const { searchable, refs } = toJsonDraft(parseJson(bytes.toString()));
    return { bytes, searchable, refs };
  } catch {
    const { text, searchable } = toJsonDraft(bytes.toString()); // deeper than expressions could read: kept as a text
    return { bytes: Buffer.from(text), searchable, refs: NONE };
  }
}

const NONE: readonly string[] = [];

/** The draft of compact JSON that has neither refs nor what jsonb refuses. */
export const plainDraft = (bytes: Buffer): JsonBytes => ({ bytes, searchable: null, refs: NONE });

function withoutLineBreaks(json: Buffer): Buffer {
  const bytes = Buffer.from(json);
  for (const mark of [LINE_FEED, CARRIAGE_RETURN])
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at)) bytes[at] = SPACE;
  return bytes;
}

function refsIn(value: JsonValue, into = new Set<string>()): string[] {
  if (typeof value === 'string') {
    if (value.includes(':///') && !value.includes('\0') && value.isWellFormed() && parseRef(value))
      into.add(withoutScheme(value));
  } else if (Array.isArray(value)) {
    for (const item of value) refsIn(item, into);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) refsIn(value[key] as JsonValue, into);
  }
  return [...into];
}
