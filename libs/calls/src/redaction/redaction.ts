import type { RedactionDto } from '@hone/contracts';
import { isJsonObject, type JsonObject, type JsonValue, setKey } from '@hone/contracts';
import { RE2JS } from 're2js';

/** What stands in place of what was removed. */
export const REDACTED = '[redacted]';
/** Most instructions of a compiled pattern: its time is at most proportional to them, and to the text. */
const MAX_PROGRAM_SIZE = 2_000;

/** Parts of a call, by the first segment of a path. */
export interface RedactedParts {
  readonly inputs?: JsonValue;
  readonly output?: JsonValue;
  readonly metadata?: JsonValue;
  readonly thread?: JsonValue;
}

/** Why a pattern cannot be used; null: it can. Syntax is that of RE2, which takes linear time. */
export function patternProblem(pattern: string): string | null {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size <= MAX_PROGRAM_SIZE ? null : `it compiles to ${size} instructions; the limit is ${MAX_PROGRAM_SIZE}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Removes from parts of a call what its project does not keep: values at paths, and matches of patterns in every text
 * and every key. Changes the values that it is given.
 */
export class Redaction {
  private readonly paths: readonly string[][];
  private readonly patterns: readonly RE2JS[];

  /** @throws Error a pattern does not compile */
  constructor({ paths, patterns }: RedactionDto) {
    this.paths = paths.map((path) => path.split('.'));
    this.patterns = patterns.map((pattern) => RE2JS.compile(pattern));
  }

  /** @returns the parts, and whether anything was removed */
  redact(parts: RedactedParts): { readonly parts: RedactedParts; readonly hasChanged: boolean } {
    const root = { ...parts } as JsonObject;
    let hasChanged = false;
    for (const path of this.paths) hasChanged = removeAt(root, path, 0) || hasChanged;
    if (this.patterns.length === 0) return { parts: root as RedactedParts, hasChanged };
    for (const name of Object.keys(root)) {
      const cleaned = this.clean(root[name] as JsonValue);
      hasChanged ||= cleaned.hasChanged;
      root[name] = cleaned.value;
    }
    return { parts: root as RedactedParts, hasChanged };
  }

  private clean(value: JsonValue): { value: JsonValue; hasChanged: boolean } {
    if (typeof value === 'string') {
      const text = this.cleanText(value);
      return { value: text, hasChanged: text !== value };
    }
    let hasChanged = false;
    const cleanOne = (item: JsonValue): JsonValue => {
      const cleaned = this.clean(item);
      hasChanged ||= cleaned.hasChanged;
      return cleaned.value;
    };
    if (Array.isArray(value)) return { value: value.map(cleanOne), hasChanged };
    if (!isJsonObject(value)) return { value, hasChanged: false };
    const cleaned: JsonObject = {};
    for (const key of Object.keys(value)) {
      const name = this.cleanText(key);
      hasChanged ||= name !== key;
      setKey(cleaned, name, cleanOne(value[key] as JsonValue));
    }
    return { value: cleaned, hasChanged };
  }

  private cleanText(text: string): string {
    return this.patterns.reduce((rest, pattern) => pattern.matcher(rest).replaceAll(REDACTED), text);
  }
}

/** @param at position in the path. @returns whether there was anything */
function removeAt(value: JsonValue, path: readonly string[], at: number): boolean {
  const segment = path[at] as string;
  const isLast = at === path.length - 1;
  let hasRemoved = false;
  for (const key of keysOf(value, segment)) {
    const holder = value as JsonObject;
    if (isLast) setKey(holder, key, REDACTED);
    hasRemoved = isLast || removeAt(holder[key] as JsonValue, path, at + 1) || hasRemoved;
  }
  return hasRemoved;
}

/** Keys or indexes of what a segment means. */
function keysOf(value: JsonValue, segment: string): string[] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [];
  if (segment === '*') return Object.keys(value);
  const isThere = Object.hasOwn(value, segment) && (!Array.isArray(value) || /^[0-9]+$/.test(segment));
  return isThere ? [segment] : [];
}
