/** Types of values, as the specification numbers them (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). */
const TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;

/** Key-value pairs of a GGUF file, encoded in the order in which they were added. */
export class GgufMetadata {
  private readonly parts: Uint8Array[] = [];
  private pairs = 0;

  get count(): number {
    return this.pairs;
  }

  /** The encoded pairs. */
  encode(): Uint8Array {
    return Buffer.concat(this.parts);
  }

  text(key: string, value: string): this {
    return this.add(key, TYPE.string, encodeText(value));
  }

  /** llama.cpp reads sizes and token ids as 32-bit numbers, whatever the specification allows. */
  count32(key: string, value: number): this {
    return this.add(key, TYPE.uint32, encodeUint32(value));
  }

  float(key: string, value: number): this {
    return this.add(key, TYPE.float32, new Uint8Array(Float32Array.of(value).buffer));
  }

  flag(key: string, value: boolean): this {
    return this.add(key, TYPE.bool, Uint8Array.of(value ? 1 : 0));
  }

  texts(key: string, values: readonly string[]): this {
    return this.add(key, TYPE.array, encodeArray(TYPE.string, values.length, Buffer.concat(values.map(encodeText))));
  }

  integers(key: string, values: readonly number[]): this {
    const bytes = new Uint8Array(Int32Array.from(values).buffer);
    return this.add(key, TYPE.array, encodeArray(TYPE.int32, values.length, bytes));
  }

  private add(key: string, type: number, value: Uint8Array): this {
    this.parts.push(encodeText(key), encodeUint32(type), value);
    this.pairs++;
    return this;
  }
}

/** UTF-8 after its length in bytes. */
export function encodeText(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([encodeUint64(bytes.length), bytes]);
}

export function encodeUint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function encodeUint64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function encodeArray(type: number, length: number, elements: Uint8Array): Uint8Array {
  return Buffer.concat([encodeUint32(type), encodeUint64(length), elements]);
}
