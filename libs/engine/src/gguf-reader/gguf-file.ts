import { type FileHandle, open } from 'node:fs/promises';

import type { StoredTensor } from '../blocks/index.js';
import { type GgufHeader, readGgufHeader } from './gguf-header.js';
import { GgufDamagedError, GgufUnreadableError, shown } from './gguf-reader.errors.js';
import type { MetadataValue } from './metadata-value.js';
import { emptyTensor, fillTensor, toStoredTensor } from './stored-tensor.js';
import type { GgufTensorInfo } from './tensor-infos.js';

/** Most bytes that one read takes from the file. */
const CHUNK_BYTES = 1024 * 1024;

/** An open GGUF file, whose tensors are read one after the other. */
export class GgufFile {
  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly header: GgufHeader,
  ) {}

  /**
   * Opens the file and checks its header.
   *
   * @param keepsArrays whether the metadata has arrays, such as the tokens, which are most of it
   * @throws GgufDamagedError
   * @throws GgufUnreadableError
   */
  static async open(path: string, keepsArrays: boolean): Promise<GgufFile> {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      return new GgufFile(path, handle, readGgufHeader(path, handle.fd, size, keepsArrays));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get metadata(): ReadonlyMap<string, MetadataValue> {
    return this.header.metadata;
  }

  get tensors(): ReadonlyMap<string, GgufTensorInfo> {
    return this.header.tensors;
  }

  /** A tensor, and the byte at which it begins: for reads of parts. Null: there is no such tensor. */
  locate(name: string): { info: GgufTensorInfo; position: number } | null {
    const info = this.tensors.get(name);
    return info ? { info, position: this.header.dataStart + info.offset } : null;
  }

  /**
   * Reads tensors in the form of the file, one after the other: floats as float32, blocks as a BlockMatrix of the same
   * numbers.
   *
   * @throws GgufDamagedError there is none of a name, the file became shorter, or a number is not finite
   * @throws GgufUnreadableError one is in blocks, but no matrix
   */
  async *readEach(names: readonly string[]): AsyncGenerator<StoredTensor> {
    const infos = names.map((name) => this.readable(name));
    const chunks = this.chunksOf(infos);
    for (const info of infos) {
      const parts = emptyTensor(info);
      for (let done = 0; done < info.bytes;) {
        const { value: chunk } = (await chunks.next()) as IteratorYieldResult<Buffer>;
        fillTensor(info.type, chunk, parts, (done / info.type.packBytes) * info.type.packNumbers);
        done += chunk.length;
      }
      const tensor = toStoredTensor(info, parts);
      if (tensor === null)
        throw new GgufDamagedError(this.path, shown(info.name), 'it has a number that is not finite');
      yield tensor;
    }
  }

  /** Reads one tensor. @throws as {@link readEach} */
  async read(name: string): Promise<StoredTensor> {
    const { value } = (await this.readEach([name]).next()) as IteratorYieldResult<StoredTensor>;
    return value;
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /**
   * The bytes of tensors, whole packs at a time, each in memory that is used again for the next but one: while a chunk
   * is unpacked, the next is read.
   */
  private async *chunksOf(infos: readonly GgufTensorInfo[]): AsyncGenerator<Buffer> {
    const memory = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const;
    let before: Promise<Buffer> | null = null;
    for (const [index, { position, bytes }] of placesOf(infos).entries()) {
      const reading = this.readFully(memory[index % 2]!.subarray(0, bytes), this.header.dataStart + position);
      // If an earlier chunk fails, nobody awaits this one.
      reading.catch(() => undefined);
      if (before) yield before;
      before = reading;
    }
    if (before) yield before;
  }

  private async readFully(target: Buffer, position: number): Promise<Buffer> {
    for (let done = 0; done < target.length;) {
      const { bytesRead } = await this.handle.read(target, done, target.length - done, position + done);
      if (bytesRead === 0) throw new GgufDamagedError(this.path, `at byte ${position + done}`, 'the file ends here');
      done += bytesRead;
    }
    return target;
  }

  private readable(name: string): GgufTensorInfo {
    const info = this.tensors.get(name);
    if (!info) throw new GgufDamagedError(this.path, shown(name), 'there is no such tensor');
    if (info.type.blocks !== null && info.shape.length !== 2) {
      throw new GgufUnreadableError(this.path, shown(name), `${info.type.name} is only read for matrices`);
    }
    return info;
  }
}

/** Where the chunks of tensors lie, from the beginning of the data on. */
function placesOf(infos: readonly GgufTensorInfo[]): { position: number; bytes: number }[] {
  return infos.flatMap(({ type, offset, bytes }) => {
    const most = Math.floor(CHUNK_BYTES / type.packBytes) * type.packBytes;
    return Array.from({ length: Math.ceil(bytes / most) }, (_, index) => {
      return { position: offset + index * most, bytes: Math.min(most, bytes - index * most) };
    });
  });
}
