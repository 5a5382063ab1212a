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

import { ValueRepository } from './values/value.repository.js';
import type { JsonDraft } from './call-halves.record.js';

export function toJsonDraft(value: JsonValue): JsonDraft {
  const text = stringifyJson(value);
  const copy = ValueRepository.isLarge(text) ? text : searchableText(value, text);
  return { text, searchable: copy === text ? null : copy, refs: text.includes(':///') ? refsIn(value) : [] };
}

/** Refs, escapes and numbers that jsonb may refuse. Texts may look like them. */
const NEEDS_PARSING = /:\/\/\/|\\u|[eE][+-]?[0-9]{3}|[0-9]{1000}/;
/** Between the tokens of JSON only; within texts they are escaped. */
const LINE_BREAK = /[\n\r]/g;

/**
 * The draft of valid JSON text, which stays as it is but for line breaks between its tokens. Mostly it need not be
 * parsed. Values too large for a row are not searched for refs.
 */
export function draftOfText(json: string): JsonDraft {
  const text = json.replace(LINE_BREAK, ' ');
  if (ValueRepository.isLarge(text)) return { text, searchable: null, refs: [] };
  if (!NEEDS_PARSING.test(text) && countBrackets(text) <= MAX_JSON_LEVELS) return { text, searchable: null, refs: [] };
  try {
    return { ...toJsonDraft(parseJson(text)), text };
  } catch {
    return toJsonDraft(text.toWellFormed()); // deeper than expressions could read: kept as a text
  }
}

function countBrackets(text: string): number {
  let count = 0;
  for (const bracket of ['{', '[']) for (let at = -1; (at = text.indexOf(bracket, at + 1)) >= 0;) count++;
  return count;
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
