import { type FileHandle, open } from 'node:fs/promises';

import type { StoredTensor } from '../blocks/index.js';

import { GgufDamagedError, GgufUnreadableError, shown } from './gguf-reader.errors.js';
import { type GgufHeader, readGgufHeader } from './gguf-header.js';
import type { MetadataValue } from './metadata-value.js';
import { emptyTensor, fillTensor, type TensorParts, toStoredTensor } from './stored-tensor.js';
import type { GgufTensorInfo } from './tensor-infos.js';

/** Bytes that one read takes from the file. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** An open GGUF file, whose tensors are read one by one. */
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

  /** File descriptor, and the byte at which a tensor begins: for reads of parts. Null: there is no such tensor. */
  locate(name: string): { info: GgufTensorInfo; fd: number; position: number } | null {
    const info = this.tensors.get(name);
    return info ? { info, fd: this.handle.fd, position: this.header.dataStart + info.offset } : null;
  }

  /**
   * Reads one tensor in the form of the file: floats as float32, blocks as a BlockMatrix of the same numbers.
   *
   * @throws GgufDamagedError there is none of this name, the file became shorter, or a number is not finite
   * @throws GgufUnreadableError it is in blocks, but no matrix
   */
  async read(name: string): Promise<StoredTensor> {
    const info = this.get(name);
    if (info.type.blocks !== null && info.shape.length !== 2) {
      throw new GgufUnreadableError(this.path, shown(name), `${info.type.name} is only read for matrices`);
    }
    const parts = emptyTensor(info);
    await this.fill(info, parts);
    const tensor = toStoredTensor(info, parts);
    if (tensor === null) throw new GgufDamagedError(this.path, shown(name), 'it has a number that is not finite');
    return tensor;
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async fill(info: GgufTensorInfo, parts: TensorParts): Promise<void> {
    const { packBytes, packNumbers } = info.type;
    const start = this.header.dataStart + info.offset;
    const chunk = Buffer.alloc(Math.min(info.bytes, Math.floor(CHUNK_BYTES / packBytes) * packBytes));
    for (let done = 0; done < info.bytes; done += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, info.bytes - done));
      await this.readFully(part, start + done);
      fillTensor(info.type, part, parts, (done / packBytes) * packNumbers);
    }
  }

  private async readFully(target: Buffer, position: number): Promise<void> {
    for (let done = 0; done < target.length;) {
      const { bytesRead } = await this.handle.read(target, done, target.length - done, position + done);
      if (bytesRead === 0) throw new GgufDamagedError(this.path, `at byte ${position + done}`, 'the file ends here');
      done += bytesRead;
    }
  }

  private get(name: string): GgufTensorInfo {
    const info = this.tensors.get(name);
    if (!info) throw new GgufDamagedError(this.path, shown(name), 'there is no such tensor');
    return info;
  }
}
