import { type FileHandle, open } from 'node:fs/promises';

/** The bytes of a file, on disk or in memory. */
export interface ByteSource {
  readonly size: number;
  /** All bytes, where they are in memory. */
  readonly whole: Uint8Array | null;
  /**
   * Fills `target` with the bytes from `position` on.
   *
   * @throws what `ended` makes of the offset at which the bytes end, if they do before
   */
  fill(target: Uint8Array, position: number, ended: (at: number) => Error): Promise<void>;
  close(): Promise<void>;
}

/** One read call takes at most 2 GiB. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** An open file that is read in parts. */
export class FileSource implements ByteSource {
  readonly whole = null;

  private constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileSource> {
    const handle = await open(path, 'r');
    try {
      return new FileSource(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async fill(target: Uint8Array, position: number, ended: (at: number) => Error): Promise<void> {
    for (let done = 0; done < target.length;) {
      const length = Math.min(target.length - done, CHUNK_BYTES);
      const { bytesRead } = await this.handle.read(target, done, length, position + done);
      if (bytesRead === 0) throw ended(position + done);
      done += bytesRead;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** A file that was read before. */
export class MemorySource implements ByteSource {
  constructor(readonly whole: Uint8Array) {}

  get size(): number {
    return this.whole.length;
  }

  fill(target: Uint8Array, position: number, ended: (at: number) => Error): Promise<void> {
    if (position + target.length > this.size) return Promise.reject(ended(this.size));
    target.set(this.whole.subarray(position, position + target.length));
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
