import { BYTES_PER_FLOAT, type FloatFormat, isFloatFormat, widenFloats } from '../../float-formats.js';
import { freeMemory } from '../../runtime/free-memory.js';
import type { FloatTensor } from '../../tensor.js';
import { TensorTypeError } from '../config/model.errors.js';
import { type ByteSource, FileSource, MemorySource } from './byte-source.js';
import { SafetensorsFormatError } from './safetensors.errors.js';
import { parseSafetensorsHeader, type SafetensorsHeader, type TensorEntry } from './safetensors-header.js';

/** The first eight bytes are the header's length, a little-endian integer. */
const LENGTH_BYTES = 8;
/** The reference reader's own limit. */
const MAX_HEADER_BYTES = 100_000_000;
/** 16-bit floats pass through a buffer of this size. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** An adapter has hundreds of tensors of some kilobytes: reads of so much at once take a tenth of the time. */
const AHEAD_BYTES = 512 * 1024;

/**
 * An open safetensors file. Tensors are read one by one, so that a file of many gigabytes is in memory
 * only once, as the float32 tensors that were asked for.
 */
export class SafetensorsFile {
  /** The last read, and its offset in the file. */
  private ahead = { position: 0, bytes: new Uint8Array() };

  private constructor(
    readonly path: string,
    private readonly source: ByteSource,
    private readonly dataOffset: number,
    private readonly header: SafetensorsHeader,
  ) {}

  /**
   * Opens the file and checks its header.
   *
   * @throws SafetensorsFormatError the file is not a whole safetensors file
   */
  static async open(path: string): Promise<SafetensorsFile> {
    const source = await FileSource.open(path);
    try {
      return await SafetensorsFile.from(path, source);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  /** The same of a file that was read, whose bytes nobody else uses: tensors lie in them. @throws as {@link open} */
  static ofBytes(path: string, bytes: Uint8Array): Promise<SafetensorsFile> {
    return SafetensorsFile.from(path, new MemorySource(bytes));
  }

  private static async from(path: string, source: ByteSource): Promise<SafetensorsFile> {
    const headerBytes = await readHeaderLength(path, source);
    const text = Buffer.alloc(headerBytes);
    await source.fill(text, LENGTH_BYTES, endedIn(path));
    const dataOffset = LENGTH_BYTES + headerBytes;
    const header = parseSafetensorsHeader(path, text.toString('utf8'), source.size - dataOffset);
    return new SafetensorsFile(path, source, dataOffset, header);
  }

  get entries(): ReadonlyMap<string, TensorEntry> {
    return this.header.entries;
  }

  get metadata(): ReadonlyMap<string, string> {
    return this.header.metadata;
  }

  /**
   * Reads one tensor as float32.
   *
   * @throws TensorTypeError it is stored as something else than F32, F16 or BF16
   * @throws SafetensorsFormatError the file has no such tensor, or became shorter since it was opened
   */
  async read(name: string): Promise<FloatTensor> {
    const { entry, format, length } = this.floats(name);
    const data = new Float32Array(length);
    await this.readFloats(entry, format, data);
    return { shape: entry.shape, data };
  }

  /**
   * Reads tensors as float32 that share one buffer: that of the file, where they lie in it as they are.
   *
   * @throws as {@link read}
   */
  async readTogether(names: readonly string[]): Promise<Map<string, FloatTensor>> {
    const found = names.map((name) => this.floats(name));
    const lie = found.every(({ entry, format }) => format === 'F32' && this.isAligned(entry));
    const memory = lie ? null : new Float32Array(found.reduce((sum, { length }) => sum + length, 0));
    const tensors = new Map<string, FloatTensor>();
    let used = 0;
    for (const [index, { entry, format, length }] of found.entries()) {
      const data = memory?.subarray(used, (used += length)) ?? this.view(entry, length);
      if (memory) await this.readFloats(entry, format, data);
      tensors.set(names[index] as string, { shape: entry.shape, data });
    }
    return tensors;
  }

  /** A tensor, and the byte at which it begins: for reads of parts. Null: there is no such tensor. */
  locate(name: string): (TensorEntry & { position: number }) | null {
    const entry = this.entries.get(name);
    return entry ? { ...entry, position: this.dataOffset + entry.begin } : null;
  }

  close(): Promise<void> {
    freeMemory([this.ahead.bytes.buffer]);
    return this.source.close();
  }

  /** Whether the tensor's floats are in memory, at a place where floats can be. */
  private isAligned({ begin }: TensorEntry): boolean {
    const { whole } = this.source;
    return whole !== null && (whole.byteOffset + this.dataOffset + begin) % Float32Array.BYTES_PER_ELEMENT === 0;
  }

  private view({ begin }: TensorEntry, length: number): Float32Array {
    const { buffer, byteOffset } = this.source.whole as Uint8Array;
    return new Float32Array(buffer, byteOffset + this.dataOffset + begin, length);
  }

  private floats(name: string): { entry: TensorEntry; format: FloatFormat; length: number } {
    const entry = this.entries.get(name);
    if (!entry) throw new SafetensorsFormatError(this.path, `${name} is missing`);
    if (!isFloatFormat(entry.dtype)) throw new TensorTypeError(this.path, name, entry.dtype);
    return { entry, format: entry.dtype, length: (entry.end - entry.begin) / BYTES_PER_FLOAT[entry.dtype] };
  }

  private async readFloats(entry: TensorEntry, format: FloatFormat, target: Float32Array): Promise<void> {
    const start = this.dataOffset + entry.begin;
    if (format === 'F32') {
      return this.readBytes(new Uint8Array(target.buffer, target.byteOffset, target.byteLength), start);
    }
    const chunk = new Uint16Array(Math.min(target.length, CHUNK_BYTES / 2));
    for (let done = 0; done < target.length; done += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, target.length - done));
      await this.readBytes(new Uint8Array(part.buffer, 0, part.byteLength), start + done * 2);
      widenFloats(part, format, target.subarray(done, done + part.length));
    }
  }

  /** Fills `target`, if that is small out of a larger read: tensors that are asked for one by one mostly follow each other. */
  private async readBytes(target: Uint8Array, position: number): Promise<void> {
    if (target.length > AHEAD_BYTES) return this.source.fill(target, position, endedIn(this.path));
    let { ahead } = this;
    if (position < ahead.position || position + target.length > ahead.position + ahead.bytes.length) {
      ahead = { position, bytes: new Uint8Array(Math.min(AHEAD_BYTES, this.source.size - position)) };
      await this.source.fill(ahead.bytes, position, endedIn(this.path));
      this.ahead = ahead;
    }
    const start = position - ahead.position;
    target.set(ahead.bytes.subarray(start, start + target.length));
  }
}

async function readHeaderLength(path: string, source: ByteSource): Promise<number> {
  const { size } = source;
  if (size < LENGTH_BYTES) throw new SafetensorsFormatError(path, `it has only ${size} bytes`);
  const prefix = Buffer.alloc(LENGTH_BYTES);
  await source.fill(prefix, 0, endedIn(path));
  const length = prefix.readBigUInt64LE();
  if (length > MAX_HEADER_BYTES || length > size - LENGTH_BYTES) {
    throw new SafetensorsFormatError(path, `its header claims ${length} bytes, the file has ${size}`);
  }
  return Number(length);
}

const endedIn = (path: string) => (at: number) => new SafetensorsFormatError(path, `it ends at byte ${at}`);
