import { type FileHandle, open, rm } from 'node:fs/promises';

const CHUNK_BYTES = 1_048_576;

/** Where a text is. */
export interface Slot {
  readonly at: number;
  readonly bytes: number;
}

/** Texts on their way into files, on disk: however many there are, memory stays small. */
export class Spool {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private end = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  /** @param path of a file that is not there yet */
  static async create(path: string): Promise<Spool> {
    return new Spool(await open(path, 'wx+'), path);
  }

  async add(text: string): Promise<Slot> {
    const bytes = Buffer.from(text);
    const slot = { at: this.end, bytes: bytes.length };
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    this.end += bytes.length;
    if (this.pendingBytes >= CHUNK_BYTES) await this.flush();
    return slot;
  }

  /** Once there are no more to add. */
  async read({ at, bytes }: Slot): Promise<Buffer> {
    await this.flush();
    const buffer = Buffer.allocUnsafe(bytes);
    for (let done = 0; done < bytes;) {
      const { bytesRead } = await this.file.read(buffer, done, bytes - done, at + done);
      if (bytesRead === 0) throw new Error('The spool ends early.');
      done += bytesRead;
    }
    return buffer;
  }

  /** Closes it, and deletes what it holds. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async flush(): Promise<void> {
    if (this.pendingBytes === 0) return;
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    for (let done = 0; done < bytes.length;) {
      done += (await this.file.write(bytes, done, bytes.length - done, this.end - bytes.length + done)).bytesWritten;
    }
  }
}
