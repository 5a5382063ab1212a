import { isJsonObject, JsonNumber, NonFiniteNumber, setKey } from '@hone/contracts';

/**
 * The value with a boxed string for each number whose text matters: the structured clone between threads keeps no class
 * of ours, and JSON has no boxed strings.
 */
export function toClonable(value: unknown): unknown {
  if (value instanceof JsonNumber) return Object(value.lexeme);
  return mapped(value, toClonable);
}

/** The value of {@link toClonable}, in another thread. */
export function fromClonable(value: unknown): unknown {
  if (value instanceof String) {
    const lexeme = value.valueOf();
    return Number.isFinite(Number(lexeme)) ? new JsonNumber(lexeme) : new NonFiniteNumber(lexeme);
  }
  return mapped(value, fromClonable);
}

function mapped(value: unknown, map: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (!isJsonObject(value) || value instanceof Date) return value;
  const copy = {};
  for (const key of Object.keys(value)) setKey(copy, key, map(value[key]));
  return copy;
}
