import { isJsonObject } from '@hone/json';

import { SafetensorsFormatError } from './safetensors.errors.js';

/** Byte range, type and shape of one tensor in a safetensors file. */
export interface TensorEntry {
  readonly name: string;
  /** Number format as the file names it, for example `BF16`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Offset of the first byte, counted from the start of the data section. */
  readonly begin: number;
  /** Offset after the last byte. */
  readonly end: number;
}

export interface SafetensorsHeader {
  readonly entries: ReadonlyMap<string, TensorEntry>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Bits of one element of every format in the specification: sizes are checked even of formats that we do not read. */
const ELEMENT_BITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ F64: 64, F32: 32, F16: 16, BF16: 16, F8_E4M3: 8, F8_E5M2: 8, F8_E8M0: 8, F4: 4 },
    ...{ I64: 64, I32: 32, I16: 16, I8: 8, U64: 64, U32: 32, U16: 16, U8: 8, BOOL: 8 },
  }),
);

/**
 * Parses the JSON header of a safetensors file and checks it as the reference reader does
 * (https://github.com/huggingface/safetensors#format): sizes match shapes, and the tensors lie side by
 * side, without a gap or an overlap, and fill the data section.
 *
 * @param file for messages
 * @param dataBytes length of the data section
 * @throws SafetensorsFormatError
 */
export function parseSafetensorsHeader(file: string, text: string, dataBytes: number): SafetensorsHeader {
  const { __metadata__: metadata, ...tensors } = parseObject(file, text);
  const entries = Object.entries(tensors).map(([name, value]) => toEntry(file, name, value));
  entries.sort((a, b) => a.begin - b.begin || a.end - b.end);
  let offset = 0;
  for (const entry of entries) {
    if (entry.begin !== offset) {
      const what = entry.begin < offset ? 'overlaps the tensor before it' : 'leaves a gap after the tensor before it';
      throw new SafetensorsFormatError(file, `${entry.name} ${what}`);
    }
    offset = entry.end;
  }
  if (offset !== dataBytes) {
    throw new SafetensorsFormatError(file, `its tensors take ${offset} bytes, the file has ${dataBytes} for them`);
  }
  return { entries: new Map(entries.map((entry) => [entry.name, entry])), metadata: toMetadata(file, metadata) };
}

function parseObject(file: string, text: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(text);
    if (isJsonObject(header)) return header;
  } catch {
    // Reported below: a parser's message about a binary file is no help.
  }
  throw new SafetensorsFormatError(file, 'the header is not a JSON object');
}

function toEntry(file: string, name: string, value: unknown): TensorEntry {
  const { dtype, shape, data_offsets: offsets } = isJsonObject(value) ? value : {};
  const bits = typeof dtype === 'string' ? ELEMENT_BITS.get(dtype) : undefined;
  if (typeof dtype !== 'string' || bits === undefined) {
    throw new SafetensorsFormatError(file, `${name} has an unknown dtype`);
  }
  if (!isSizes(shape)) throw new SafetensorsFormatError(file, `${name} has no valid shape`);
  if (!isSizes(offsets) || offsets.length !== 2) {
    throw new SafetensorsFormatError(file, `${name} has no valid data_offsets`);
  }
  const [begin, end] = offsets as [number, number];
  // A product beyond 2^53 is inexact, and then larger than any file.
  const expected = shape.reduce((product, size) => product * size, bits) / 8;
  if (end - begin !== expected) {
    throw new SafetensorsFormatError(file, `${name} takes ${end - begin} bytes, its shape needs ${expected}`);
  }
  return { name, dtype, shape, begin, end };
}

function toMetadata(file: string, value: unknown): Map<string, string> {
  if (value === undefined) return new Map();
  const entries = isJsonObject(value) ? Object.entries(value) : [['', null]];
  if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return new Map(entries);
  throw new SafetensorsFormatError(file, '__metadata__ is not a map of strings');
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}
