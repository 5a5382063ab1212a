/** What a GGUF file holds, read straight from the specification's structures, without any code of the writer. */
export interface ReadGguf {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, unknown>;
  readonly tensors: ReadonlyMap<string, { dimensions: number[]; type: number; offset: number; data: Float32Array }>;
}

/** A minimal reader of version 3, little-endian, float32 tensors, default alignment. */
export function readGguf(file: Buffer): ReadGguf {
  let at = 4;
  const uint32 = (): number => file.readUInt32LE((at += 4) - 4);
  const uint64 = (): number => Number(file.readBigUInt64LE((at += 8) - 8));
  const text = (): string => {
    const length = uint64();
    return file.toString('utf8', at, (at += length));
  };
  const value = (type: number): unknown => {
    switch (type) {
      case 4:
        return uint32();
      case 5:
        return file.readInt32LE((at += 4) - 4);
      case 6:
        return file.readFloatLE((at += 4) - 4);
      case 7:
        return file.readUInt8(at++) === 1;
      case 8:
        return text();
      case 9: {
        const element = uint32();
        return Array.from({ length: uint64() }, () => value(element));
      }
      default:
        throw new Error(`A value of type ${type} was not expected.`);
    }
  };
  if (file.toString('latin1', 0, 4) !== 'GGUF') throw new Error('The file does not begin with GGUF.');
  const version = uint32();
  const [tensorCount, pairCount] = [uint64(), uint64()];
  const metadata = new Map(Array.from({ length: pairCount }, () => [text(), value(uint32())]));
  const infos = Array.from({ length: tensorCount }, () => {
    const name = text();
    const dimensions = Array.from({ length: uint32() }, uint64);
    return { name, dimensions, type: uint32(), offset: uint64() };
  });
  const start = Math.ceil(at / 32) * 32;
  const tensors = infos.map(({ name, ...info }) => {
    const length = info.dimensions.reduce((product, size) => product * size, 1);
    const from = start + info.offset;
    const data = Float32Array.from({ length }, (_, i) => file.readFloatLE(from + 4 * i));
    return [name, { ...info, data }] as const;
  });
  return { version, metadata, tensors: new Map(tensors) };
}
