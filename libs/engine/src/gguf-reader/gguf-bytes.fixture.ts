/** A tensor as it goes into a file, whatever it claims to be. */
export interface RawGgufTensor {
  readonly name: string;
  /** Innermost first, as GGML counts. */
  readonly sizes: readonly (number | bigint)[];
  readonly type: number;
  readonly bytes: Uint8Array;
  /** Default: after the tensor before it. */
  readonly offset?: number | bigint;
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
export const uint64 = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
export const text = (value: string): Buffer => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
/** A pair of the metadata with a text. */
export const textPair = (key: string, value: string): Buffer => Buffer.concat([text(key), uint32(8), text(value)]);

/** A GGUF file of encoded pairs and raw tensors. */
export function ggufBytes(pairs: readonly Buffer[], tensors: readonly RawGgufTensor[], version = 3): Buffer {
  let end = 0;
  const infos = tensors.map(({ name, sizes, type, bytes, offset = end }) => {
    end += Math.ceil(bytes.length / 32) * 32;
    return Buffer.concat([text(name), uint32(sizes.length), ...sizes.map(uint64), uint32(type), uint64(offset)]);
  });
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    ...[uint32(version), uint64(tensors.length), uint64(pairs.length)],
    ...pairs,
    ...infos,
  ]);
  return Buffer.concat([head, ...tensors.map(({ bytes }) => bytes)].flatMap((part) => [part, padding(part.length)]));
}

const padding = (bytes: number): Buffer => Buffer.alloc((32 - (bytes % 32)) % 32);
