import type { JsonValue } from '../values/json-value.js';
import { type JsonLimits, parseJson } from './parse-json.js';

/** What a text says as JSON, as {@link parseJson} reads it; undefined: it is none, or beyond the limits. */
export function tryParseJson(text: string, limits?: JsonLimits): JsonValue | undefined {
  try {
    return parseJson(text, limits);
  } catch {
    return undefined;
  }
}
