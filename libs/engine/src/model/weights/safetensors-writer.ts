import type { FloatTensor, Weights } from '../../tensor.js';
import { writeDurably, type WrittenFile } from './durable-file.js';

/** One tensor as it will stand in the file. */
export interface RawTensor {
  readonly name: string;
  readonly dtype: 'F32' | 'F16' | 'BF16';
  readonly shape: readonly number[];
  /** Little-endian elements in row-major order. */
  readonly bytes: Uint8Array;
}

/**
 * Writes float32 tensors as a safetensors file. The same tensors give the same bytes, whatever the order
 * of the map.
 *
 * @param metadata strings for the header, for example `{ format: 'pt' }`, which PyTorch's loaders ask for
 */
export function writeSafetensors(
  path: string,
  tensors: Weights,
  metadata: Readonly<Record<string, string>> = {},
): Promise<WrittenFile> {
  const raw = Array.from(tensors, ([name, { shape, data }]): RawTensor => {
    return { name, dtype: 'F32', shape, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
  });
  return writeDurably(path, encodeSafetensors(raw, metadata));
}

/** Name and shape of a float32 tensor that is not in memory yet. */
export interface PlannedTensor {
  readonly name: string;
  readonly shape: readonly number[];
}

/**
 * Writes the same file as {@link writeSafetensors}, with one tensor in memory at a time.
 *
 * @param read called once for each tensor, in the order of the names
 */
export function writeSafetensorsStream(
  path: string,
  tensors: readonly PlannedTensor[],
  read: (name: string) => Promise<FloatTensor>,
  metadata: Readonly<Record<string, string>> = {},
): Promise<WrittenFile> {
  const sorted = tensors.toSorted((a, b) => compareNames(a.name, b.name));
  const headers = sorted.map(({ name, shape }): TensorHeader => {
    return { name, dtype: 'F32', shape, byteLength: shape.reduce((product, size) => product * size, 4) };
  });
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield encodeHeader(headers, metadata);
    for (const { name } of sorted) {
      const { data } = await read(name);
      yield new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    }
  };
  return writeDurably(path, chunks());
}

/** The bytes of a safetensors file in pieces: length and header, then each tensor, in the order of their names. */
export function* encodeSafetensors(
  tensors: readonly RawTensor[],
  metadata: Readonly<Record<string, string>> = {},
): Generator<Uint8Array> {
  const sorted = tensors.toSorted((a, b) => compareNames(a.name, b.name));
  const headers = sorted.map(({ bytes, ...header }) => ({ ...header, byteLength: bytes.byteLength }));
  yield encodeHeader(headers, metadata);
  for (const { bytes } of sorted) yield bytes;
}

type TensorHeader = Omit<RawTensor, 'bytes'> & { readonly byteLength: number };

function encodeHeader(sorted: readonly TensorHeader[], metadata: Readonly<Record<string, string>>): Uint8Array {
  const header: [string, unknown][] = [];
  const strings = Object.entries(metadata).sort(([a], [b]) => compareNames(a, b));
  if (strings.length > 0) header.push(['__metadata__', Object.fromEntries(strings)]);
  let offset = 0;
  for (const { name, dtype, shape, byteLength } of sorted) {
    header.push([name, { dtype, shape, data_offsets: [offset, (offset += byteLength)] }]);
  }
  const text = Buffer.from(JSON.stringify(Object.fromEntries(header)), 'utf8');
  // Readers map the file into memory: the data begins at a multiple of eight, the header is filled up with blanks.
  const padded = Buffer.alloc(8 + Math.ceil(text.length / 8) * 8, ' ');
  padded.writeBigUInt64LE(BigInt(padded.length - 8));
  text.copy(padded, 8);
  return padded;
}

/** By code units: locale rules would make the bytes depend on the machine. */
function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
