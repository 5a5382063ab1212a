/**
 * A number whose text matters: `1.0`, `1e5`, `-0`, or more digits than a double holds. Numbers that a double prints
 * back exactly as they were written are plain numbers.
 */
export class JsonNumber {
  constructor(
    /** The number as it was written. */
    readonly lexeme: string,
  ) {}

  /** How the number is written out. */
  get text(): string {
    return this.lexeme;
  }

  valueOf(): number {
    return Number(this.lexeme);
  }

  toString(): string {
    return this.lexeme;
  }
}

/** `NaN`, `Infinity` or `-Infinity`, as Python writes them. JSON has none of them: it is written out as null. */
export class NonFiniteNumber extends JsonNumber {
  override get text(): string {
    return 'null';
  }
}

/** JSON text that is written out as it is. Its maker vouches that it is valid JSON. */
export class RawJson {
  constructor(readonly text: string) {}
}

export type JsonValue = null | boolean | string | number | JsonNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** True for `{…}`: neither null, nor an array, nor a number in disguise. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** True if objects and arrays are nested in more than `levels` levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

/** The number that `value` is, or undefined when it is none. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return value instanceof JsonNumber ? Number(value.lexeme) : undefined;
}

/** The member of an object; undefined: there is none, or `value` is no object. */
export const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Sets an own property whatever the key: `__proto__` is an ordinary key of a JSON object. */
export function setKey(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else (target as Record<string, unknown>)[key] = value;
}

/** The same value with every number as a double: for libraries that know only plain JSON. */
export function toPlainJson(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (!isJsonObject(value)) return value;
  const plain = {};
  for (const key of Object.keys(value)) setKey(plain, key, toPlainJson(value[key] as JsonValue));
  return plain;
}
