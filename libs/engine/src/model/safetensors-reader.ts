import { open, type FileHandle } from 'node:fs/promises';

import { freeMemory } from '../runtime/free-memory.js';
import type { FloatTensor } from '../tensor.js';

import { BYTES_PER_FLOAT, isFloatFormat, widenFloats, type FloatFormat } from '../float-formats.js';
import { TensorTypeError } from './model.errors.js';
import { parseSafetensorsHeader, type SafetensorsHeader, type TensorEntry } from './safetensors-header.js';
import { SafetensorsFormatError } from './safetensors.errors.js';

/** The first eight bytes are the header's length, a little-endian integer. */
const LENGTH_BYTES = 8;
/** The reference reader's own limit. */
const MAX_HEADER_BYTES = 100_000_000;
/** One read call takes at most 2 GiB, and 16-bit floats pass through a buffer of this size. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** An adapter has hundreds of tensors of some kilobytes: reads of so much at once take a tenth of the time. */
const AHEAD_BYTES = 512 * 1024;

/**
 * An open safetensors file. Tensors are read one by one, so that a file of many gigabytes is in memory
 * only once, as the float32 tensors that were asked for.
 */
export class SafetensorsFile {
  /** What was read last, and where it begins in the file. */
  private ahead = { position: 0, bytes: new Uint8Array() };

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly size: number,
    private readonly dataOffset: number,
    private readonly header: SafetensorsHeader,
  ) {}

  /**
   * Opens the file and checks its header.
   *
   * @throws SafetensorsFormatError the file is not a whole safetensors file
   */
  static async open(path: string): Promise<SafetensorsFile> {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const headerBytes = await readHeaderLength(path, handle, size);
      const text = Buffer.alloc(headerBytes);
      await readFully(path, handle, text, LENGTH_BYTES);
      const dataOffset = LENGTH_BYTES + headerBytes;
      const header = parseSafetensorsHeader(path, text.toString('utf8'), size - dataOffset);
      return new SafetensorsFile(path, handle, size, dataOffset, header);
    } catch (error) {
      await handle.close();
      throw error;
    }
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
    const entry = this.entries.get(name);
    if (!entry) throw new SafetensorsFormatError(this.path, `${name} is missing`);
    if (!isFloatFormat(entry.dtype)) throw new TensorTypeError(this.path, name, entry.dtype);
    return { shape: entry.shape, data: await this.readFloats(entry, entry.dtype) };
  }

  /** A tensor, and the byte at which it begins: for reads of parts. Null: there is no such tensor. */
  locate(name: string): (TensorEntry & { position: number }) | null {
    const entry = this.entries.get(name);
    return entry ? { ...entry, position: this.dataOffset + entry.begin } : null;
  }

  close(): Promise<void> {
    freeMemory([this.ahead.bytes.buffer]);
    return this.handle.close();
  }

  private async readFloats(entry: TensorEntry, format: FloatFormat): Promise<Float32Array> {
    const data = new Float32Array((entry.end - entry.begin) / BYTES_PER_FLOAT[format]);
    const start = this.dataOffset + entry.begin;
    if (format === 'F32') {
      await this.readBytes(new Uint8Array(data.buffer), start);
      return data;
    }
    const chunk = new Uint16Array(Math.min(data.length, CHUNK_BYTES / 2));
    for (let done = 0; done < data.length; done += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, data.length - done));
      await this.readBytes(new Uint8Array(part.buffer, 0, part.byteLength), start + done * 2);
      widenFloats(part, format, data.subarray(done, done + part.length));
    }
    return data;
  }

  /** Fills `target`, if that is small out of a larger read: tensors that are asked for one by one mostly follow each other. */
  private async readBytes(target: Uint8Array, position: number): Promise<void> {
    if (target.length > AHEAD_BYTES) return readFully(this.path, this.handle, target, position);
    let { ahead } = this;
    if (position < ahead.position || position + target.length > ahead.position + ahead.bytes.length) {
      ahead = { position, bytes: new Uint8Array(Math.min(AHEAD_BYTES, this.size - position)) };
      await readFully(this.path, this.handle, ahead.bytes, position);
      this.ahead = ahead;
    }
    const start = position - ahead.position;
    target.set(ahead.bytes.subarray(start, start + target.length));
  }
}

async function readHeaderLength(path: string, handle: FileHandle, size: number): Promise<number> {
  if (size < LENGTH_BYTES) throw new SafetensorsFormatError(path, `it has only ${size} bytes`);
  const prefix = Buffer.alloc(LENGTH_BYTES);
  await readFully(path, handle, prefix, 0);
  const length = prefix.readBigUInt64LE();
  if (length > MAX_HEADER_BYTES || length > size - LENGTH_BYTES) {
    throw new SafetensorsFormatError(path, `its header claims ${length} bytes, the file has ${size}`);
  }
  return Number(length);
}

async function readFully(path: string, handle: FileHandle, target: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < target.length;) {
    const length = Math.min(target.length - done, CHUNK_BYTES);
    const { bytesRead } = await handle.read(target, done, length, position + done);
    if (bytesRead === 0) throw new SafetensorsFormatError(path, `it ends at byte ${position + done}`);
    done += bytesRead;
  }
}
