import type { ByteCursor } from './byte-cursor.js';
import { GgufDamagedError, GgufUnreadableError, shown } from './gguf-reader.errors.js';
import { TENSOR_TYPES, type TensorType, typeName } from './tensor-types.js';

/** Where a tensor is in the file, and what it is. */
export interface GgufTensorInfo {
  readonly name: string;
  readonly type: TensorType;
  /** Row-major, outermost first; 1 to 4 sizes. */
  readonly shape: readonly number[];
  /** From the beginning of the data. */
  readonly offset: number;
  readonly bytes: number;
}

/** GGML_MAX_NAME is 64; other writers may be more generous. */
const MAX_NAME_BYTES = 256;
const MAX_DIMENSIONS = 4;

/** Reads `count` tensor infos. Sizes are checked against the file's size, not yet their places. */
export function readTensorInfos(cursor: ByteCursor, count: number): Map<string, GgufTensorInfo> {
  const infos = new Map<string, GgufTensorInfo>();
  for (let index = 0; index < count; index++) {
    const info = readTensorInfo(cursor);
    if (infos.has(info.name)) throw new GgufDamagedError(cursor.file, shown(info.name), 'two tensors have this name');
    infos.set(info.name, info);
  }
  return infos;
}

function readTensorInfo(cursor: ByteCursor): GgufTensorInfo {
  const name = cursor.text(MAX_NAME_BYTES);
  const fail = (reason: string): GgufDamagedError => new GgufDamagedError(cursor.file, shown(name), reason);
  const rank = cursor.uint32();
  if (rank < 1 || rank > MAX_DIMENSIONS) throw fail(`it has ${rank} dimensions, expected 1 to ${MAX_DIMENSIONS}`);
  // GGML counts dimensions from the innermost.
  const sizes = Array.from({ length: rank }, () => cursor.uint64());
  const typeId = cursor.uint32();
  const offset = cursor.uint64();
  const type = TENSOR_TYPES.get(typeId);
  if (!type)
    throw new GgufUnreadableError(cursor.file, shown(name), `tensors of type ${typeName(typeId)} are not read`);
  if (sizes[0]! % BigInt(type.packNumbers) !== 0n) {
    throw fail(`its rows have ${sizes[0]} numbers, ${type.name} packs ${type.packNumbers} together`);
  }
  // Exact, however large the sizes are.
  const numbers = sizes.reduce((product, size) => product * size, 1n);
  const bytes = (numbers / BigInt(type.packNumbers)) * BigInt(type.packBytes);
  if (numbers === 0n) throw fail(`its sizes are ${sizes.join(' x ')}, expected 1 or more`);
  if (offset + bytes > BigInt(cursor.size)) {
    const sum = sizes.join(' x ');
    throw fail(`${sum} numbers of type ${type.name} from ${offset} on do not fit into ${cursor.size} bytes`);
  }
  return { name, type, shape: sizes.reverse().map(Number), offset: Number(offset), bytes: Number(bytes) };
}

/** @throws GgufDamagedError a tensor lies beyond the end, off the alignment, or over another one */
export function assertPlaces(
  file: string,
  infos: ReadonlyMap<string, GgufTensorInfo>,
  alignment: number,
  dataBytes: number,
): void {
  let end = 0;
  for (const { name, offset, bytes } of [...infos.values()].sort((a, b) => a.offset - b.offset)) {
    const fail = (reason: string): GgufDamagedError => new GgufDamagedError(file, shown(name), reason);
    if (offset % alignment !== 0) throw fail(`it begins at ${offset}, expected a multiple of ${alignment}`);
    if (offset < end) throw fail('it overlaps another tensor');
    end = offset + bytes;
    if (end > dataBytes) throw fail(`it ends at byte ${end} of the data, which has ${dataBytes} bytes`);
  }
}
