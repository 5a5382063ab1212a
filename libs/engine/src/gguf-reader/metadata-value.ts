import type { ByteCursor } from './byte-cursor.js';

/** Numbers of an array as the file packs them. */
type NumberArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigUint64Array
  | BigInt64Array;

/** A value of the metadata. Integers of 64 bits are bigint, unless they are exact as numbers; flags in arrays are 0 or 1. */
export type MetadataValue = string | number | bigint | boolean | NumberArray | readonly MetadataValue[];

/** Longest text: chat templates and licences are below 100 kB. */
const MAX_TEXT_BYTES = 1 << 24;
/** The largest vocabularies have 262,144 tokens and 520,000 merges. */
const MAX_ELEMENTS = 1 << 22;
const MAX_NESTING = 3;
const TEXT = 8;
const ARRAY = 9;
const BOOL = 7;

/** Arrays for the types of numbers, as the specification numbers them (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). */
const NUMBERS: Readonly<Record<number, new (buffer: ArrayBuffer) => NumberArray>> = {
  0: Uint8Array,
  1: Int8Array,
  2: Uint16Array,
  3: Int16Array,
  4: Uint32Array,
  5: Int32Array,
  6: Float32Array,
  [BOOL]: Uint8Array,
  10: BigUint64Array,
  11: BigInt64Array,
  12: Float64Array,
};
const NUMBER_BYTES: Readonly<Record<number, number>> = {
  ...{ 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 10: 8, 11: 8, 12: 8 },
  [BOOL]: 1,
};

/**
 * Reads one value with the type before it.
 *
 * @param keepsArrays whether arrays are read, or only moved past, which takes a tenth of the time
 * @returns null: an array that is not kept
 * @throws GgufDamagedError
 */
export function readMetadataValue(cursor: ByteCursor, keepsArrays: boolean): MetadataValue | null {
  const type = cursor.uint32();
  if (type === TEXT) return cursor.text(MAX_TEXT_BYTES);
  if (type === ARRAY) return keepsArrays ? readArray(cursor, 1) : skipArray(cursor, 1);
  const [value] = readNumbers(cursor, type, 1);
  if (type === BOOL) return value === 1;
  return typeof value === 'bigint' && isExact(value) ? Number(value) : value!;
}

function readArray(cursor: ByteCursor, depth: number): MetadataValue {
  const { type, length } = readArrayHead(cursor, depth);
  if (type === TEXT) return Array.from({ length }, () => cursor.text(MAX_TEXT_BYTES));
  if (type === ARRAY) return Array.from({ length }, () => readArray(cursor, depth + 1));
  return readNumbers(cursor, type, length);
}

function skipArray(cursor: ByteCursor, depth: number): null {
  const { type, length } = readArrayHead(cursor, depth);
  if (type === TEXT) for (let index = 0; index < length; index++) cursor.skipText(MAX_TEXT_BYTES);
  else if (type === ARRAY) for (let index = 0; index < length; index++) skipArray(cursor, depth + 1);
  else cursor.skip(length * NUMBER_BYTES[type]!);
  return null;
}

function readArrayHead(cursor: ByteCursor, depth: number): { type: number; length: number } {
  const at = cursor.position;
  if (depth > MAX_NESTING) throw cursor.damaged(`arrays are nested more than ${MAX_NESTING} deep`, at);
  const type = cursor.uint32();
  if (type === TEXT) return { type, length: cursor.count('texts', 8, MAX_ELEMENTS) };
  if (type === ARRAY) return { type, length: cursor.count('arrays', 12, MAX_ELEMENTS) };
  const bytes = NUMBER_BYTES[type];
  if (bytes === undefined) throw unknownType(cursor, type, at);
  return { type, length: cursor.count('numbers', bytes, MAX_ELEMENTS) };
}

function readNumbers(cursor: ByteCursor, type: number, length: number): NumberArray {
  const Numbers = NUMBERS[type];
  if (!Numbers) throw unknownType(cursor, type, cursor.position - 4);
  // `bytes` gives a buffer of its own, which begins at 0.
  return new Numbers(cursor.bytes(length * NUMBER_BYTES[type]!).buffer as ArrayBuffer);
}

const unknownType = (cursor: ByteCursor, type: number, at: number) =>
  cursor.damaged(`values of type ${type} are unknown`, at);

const isExact = (value: bigint): boolean => value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
