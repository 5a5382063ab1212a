import { ByteCursor } from './byte-cursor.js';
import { GgufDamagedError, GgufUnreadableError, shown } from './gguf-reader.errors.js';
import { type MetadataValue, readMetadataValue } from './metadata-value.js';
import { assertPlaces, type GgufTensorInfo, readTensorInfos } from './tensor-infos.js';

/** What a GGUF file says before its data. */
export interface GgufHeader {
  readonly metadata: ReadonlyMap<string, MetadataValue>;
  readonly tensors: ReadonlyMap<string, GgufTensorInfo>;
  /** Byte offset of the data. */
  readonly dataStart: number;
}

const MAGIC = 0x46554747; // "GGUF"
/** Files have below a hundred keys, and a dozen tensors per layer. */
const MAX_KEYS = 4096;
const MAX_TENSORS = 65_536;
const MAX_KEY_BYTES = 65_535;
/** The least bytes of a pair (empty key, type, one byte) and of a tensor info (empty name, one size). */
const LEAST_PAIR_BYTES = 13;
const LEAST_INFO_BYTES = 32;
const DEFAULT_ALIGNMENT = 32;

/**
 * Reads header, metadata and tensor infos of versions 2 and 3, little-endian
 * (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
 *
 * @param keepsArrays whether the metadata has arrays, such as the tokens, which are most of it
 * @throws GgufDamagedError names the byte, key or tensor
 * @throws GgufUnreadableError another version, byte order or type of tensor
 */
export function readGgufHeader(file: string, fd: number, size: number, keepsArrays: boolean): GgufHeader {
  const cursor = new ByteCursor(file, fd, size);
  if (size < 24 || cursor.uint32() !== MAGIC) throw cursor.damaged('it is not a GGUF file', 0);
  assertVersion(cursor);
  const tensorCount = cursor.count('tensors', LEAST_INFO_BYTES, MAX_TENSORS);
  const keyCount = cursor.count('keys', LEAST_PAIR_BYTES, MAX_KEYS);
  const metadata = readMetadata(cursor, keyCount, keepsArrays);
  const tensors = readTensorInfos(cursor, tensorCount);
  const alignment = alignmentOf(file, metadata);
  const dataStart = Math.ceil(cursor.position / alignment) * alignment;
  assertPlaces(file, tensors, alignment, size - dataStart);
  return { metadata, tensors, dataStart };
}

function assertVersion(cursor: ByteCursor): void {
  const version = cursor.uint32();
  if (version === 2 || version === 3) return;
  const what = version !== 0 && version % 65_536 === 0 ? 'its numbers are big-endian' : `its version is ${version}`;
  throw new GgufUnreadableError(cursor.file, 'at byte 4', `${what}, expected version 2 or 3, little-endian`);
}

function readMetadata(cursor: ByteCursor, count: number, keepsArrays: boolean): Map<string, MetadataValue> {
  const metadata = new Map<string, MetadataValue>();
  const keys = new Set<string>();
  for (let index = 0; index < count; index++) {
    const key = cursor.text(MAX_KEY_BYTES);
    if (keys.has(key)) throw new GgufDamagedError(cursor.file, shown(key), 'the key is there twice');
    keys.add(key);
    const value = readMetadataValue(cursor, keepsArrays);
    if (value !== null) metadata.set(key, value);
  }
  return metadata;
}

function alignmentOf(file: string, metadata: ReadonlyMap<string, MetadataValue>): number {
  const value = metadata.get('general.alignment') ?? DEFAULT_ALIGNMENT;
  if (typeof value === 'number' && value >= 8 && value <= 65_536 && Number.isInteger(Math.log2(value))) return value;
  throw new GgufDamagedError(file, 'general.alignment', 'expected a power of two from 8 to 65536');
}
