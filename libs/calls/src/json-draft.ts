import { isJsonObject, type JsonValue, parseRef, searchableText, stringifyJson, withoutScheme } from '@hone/contracts';

import { ValueRepository } from './values/value.repository.js';
import type { JsonDraft } from './call-halves.record.js';

export function toJsonDraft(value: JsonValue): JsonDraft {
  const text = stringifyJson(value);
  const copy = ValueRepository.isLarge(text) ? text : searchableText(value, text);
  return { text, searchable: copy === text ? null : copy, refs: text.includes(':///') ? refsIn(value) : [] };
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
