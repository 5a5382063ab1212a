import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, setKey } from '@hone/contracts';

/** Attributes of OpenTelemetry: name -> value. */
export type Attributes = ReadonlyMap<string, JsonValue>;

/** Ids are hexadecimal in OTLP's JSON, base64 in what was protobuf. */
export type IdEncoding = 'hex' | 'base64';

export const HEX = { trace: /^(?!0{32})[0-9a-f]{32}$/, span: /^(?!0{16})[0-9a-f]{16}$/ };
const MAX_UINT64 = 2n ** 64n;

/** An id in hexadecimal digits; null: it is none of this form. */
export function idOf(value: JsonValue | undefined, form: RegExp, encoding: IdEncoding): string | null {
  if (typeof value !== 'string') return null;
  const hex = encoding === 'hex' ? value.toLowerCase() : Buffer.from(value, 'base64').toString('hex');
  return form.test(hex) ? hex : null;
}

export function readAttributes(list: JsonValue | undefined): Attributes {
  const attributes = new Map<string, JsonValue>();
  for (const { key, value } of listOf(list)) attributes.set(textOf(key), readValue(value));
  return attributes;
}

/** An `AnyValue` as JSON. Integers of 64 bits keep all their digits. */
export function readValue(value: JsonValue | undefined): JsonValue {
  const any = objectOf(value);
  const [kind] = Object.keys(any);
  const content = kind === undefined ? undefined : any[kind];
  if (content === undefined) return null;
  if (kind === 'intValue') return exactInteger(content);
  if (kind === 'arrayValue') return listOf(objectOf(content)['values'], false).map(readValue);
  if (kind !== 'kvlistValue') return content;
  const object: JsonObject = {};
  for (const [key, member] of readAttributes(objectOf(content)['values'])) setKey(object, key, member);
  return object;
}

function exactInteger(content: JsonValue): JsonValue {
  if (typeof content !== 'string' || !/^-?\d{1,19}$/.test(content)) return content;
  const number = Number(content);
  return String(number) === content ? number : new JsonNumber(content);
}

export const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export function listOf(value: JsonValue | undefined): JsonObject[];
export function listOf(value: JsonValue | undefined, objectsOnly: false): JsonValue[];
export function listOf(value: JsonValue | undefined, objectsOnly = true): JsonValue[] {
  if (!Array.isArray(value)) return [];
  return objectsOnly ? value.filter(isJsonObject) : value;
}

/** Whole numbers of 64 bits come as text or as a number; anything else counts as 0. */
export function bigOf(value: JsonValue | undefined): bigint {
  const text = value instanceof JsonNumber ? value.lexeme : value;
  if (typeof text === 'number') return Number.isSafeInteger(text) && text > 0 ? BigInt(text) : 0n;
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return 0n;
  const big = BigInt(text);
  return big < MAX_UINT64 ? big : 0n;
}
