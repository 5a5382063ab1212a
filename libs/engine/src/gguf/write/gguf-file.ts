import type { FloatTensor } from '../../tensor.js';
import { encodeText, encodeUint32, encodeUint64, type GgufMetadata } from './gguf-metadata.js';

/** A tensor of the file. Its numbers are asked for when they are written: they need not all be in memory. */
export interface GgufTensor {
  readonly name: string;
  /** Row-major, outermost first. */
  readonly shape: readonly number[];
  readonly read: () => FloatTensor;
}

const MAGIC = Buffer.from('GGUF', 'latin1');
const VERSION = 3;
/** The format's default; the file need not say so. */
const ALIGNMENT = 32;
const TYPE_F32 = 0;

/** The bytes of a GGUF file of float32 tensors, in pieces (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). */
export function* encodeGguf(metadata: GgufMetadata, tensors: readonly GgufTensor[]): Generator<Uint8Array> {
  const head = Buffer.concat([
    MAGIC,
    encodeUint32(VERSION),
    encodeUint64(tensors.length),
    encodeUint64(metadata.count),
    metadata.encode(),
    ...encodeTensorInfos(tensors),
  ]);
  yield head;
  yield padding(head.length);
  for (const tensor of tensors) {
    const { data } = tensor.read();
    yield new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    yield padding(data.byteLength);
  }
}

function encodeTensorInfos(tensors: readonly GgufTensor[]): Uint8Array[] {
  let offset = 0;
  return tensors.map(({ name, shape }) => {
    const bytes = 4 * shape.reduce((product, size) => product * size, 1);
    const info = Buffer.concat([
      encodeText(name),
      encodeUint32(shape.length),
      // GGML counts dimensions from the innermost.
      ...shape.toReversed().map(encodeUint64),
      encodeUint32(TYPE_F32),
      encodeUint64(offset),
    ]);
    offset += bytes + padding(bytes).length;
    return info;
  });
}

function padding(bytes: number): Uint8Array {
  return new Uint8Array((ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT);
}
