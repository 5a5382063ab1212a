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

/** Reads one value with the type before it. @throws GgufDamagedError */
export function readMetadataValue(cursor: ByteCursor): MetadataValue {
  const type = cursor.uint32();
  if (type === TEXT) return cursor.text(MAX_TEXT_BYTES);
  if (type === ARRAY) return readArray(cursor, 1);
  const [value] = readNumbers(cursor, type, 1);
  if (type === BOOL) return value === 1;
  return typeof value === 'bigint' && isExact(value) ? Number(value) : value!;
}

function readArray(cursor: ByteCursor, depth: number): MetadataValue {
  const at = cursor.position;
  if (depth > MAX_NESTING) throw cursor.damaged(`arrays are nested more than ${MAX_NESTING} deep`, at);
  const type = cursor.uint32();
  if (type === TEXT) {
    return Array.from({ length: cursor.count('texts', 8, MAX_ELEMENTS) }, () => cursor.text(MAX_TEXT_BYTES));
  }
  if (type === ARRAY) {
    return Array.from({ length: cursor.count('arrays', 12, MAX_ELEMENTS) }, () => readArray(cursor, depth + 1));
  }
  const bytes = NUMBER_BYTES[type] ?? 1;
  return readNumbers(cursor, type, cursor.count('numbers', bytes, MAX_ELEMENTS), at);
}

function readNumbers(cursor: ByteCursor, type: number, length: number, at = cursor.position - 4): NumberArray {
  const Numbers = NUMBERS[type];
  if (!Numbers) throw cursor.damaged(`values of type ${type} are unknown`, at);
  // `bytes` gives a buffer of its own, which begins at 0.
  return new Numbers(cursor.bytes(length * NUMBER_BYTES[type]!).buffer as ArrayBuffer);
}

const isExact = (value: bigint): boolean => value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
