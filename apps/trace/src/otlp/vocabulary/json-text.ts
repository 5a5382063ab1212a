import { JsonParseError, type JsonValue, parseJson } from '@hone/contracts';

/** What is stored can always be parsed again. Python's `json` writes NaN and infinities, which are stored as null. */
const LIMITS = { maxLevels: 128, nonFinite: true };

/** What a text says in JSON: instrumentation writes structures as text. Any other text, and any other value, is itself. */
export const parsedText = (value: JsonValue | undefined): JsonValue | undefined => parsedIf(value, /^\s*[[{]/);

/**
 * The same of attributes that SDKs write as JSON whatever they hold, so that texts are in quotes; some encode twice what
 * was JSON text already. A text without quotes is itself.
 */
export function unquotedText(value: JsonValue | undefined): JsonValue | undefined {
  return parsedText(parsedIf(value, /^\s*"[^]*"\s*$/));
}

function parsedIf(value: JsonValue | undefined, form: RegExp): JsonValue | undefined {
  if (typeof value !== 'string' || !form.test(value)) return value;
  try {
    return parseJson(value, LIMITS);
  } catch (error) {
    if (error instanceof JsonParseError) return value;
    throw error;
  }
}
