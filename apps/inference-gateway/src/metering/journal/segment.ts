import { ftruncateSync, writeSync } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';

import { decodeFrames, MAX_PAYLOAD_BYTES } from './frame.js';
import type { RecordList } from './record-list.js';

const READ_BYTES = 4 * MAX_PAYLOAD_BYTES;

/** Records of one segment that are not committed yet. */
export interface SegmentRecords {
  records: RecordList;
  /** Offset behind the last of them. */
  endBytes: number;
  skippedBytes: number;
}

/** One file of the journal: appended by the process that made it, read from its start to its end. */
export class Segment {
  /** What was read and committed. */
  committedBytes = 0;

  private constructor(
    readonly path: string,
    /** Undefined: sealed. There may be thousands of those, so they are opened to be read only. */
    private file: FileHandle | undefined,
    /** Only what is as safe as was asked for: readers see no more. */
    public safeBytes: number,
  ) {}

  static async create(path: string): Promise<Segment> {
    return new Segment(path, await open(path, 'ax+', 0o600), 0);
  }

  /** A segment whose writer is gone; its tail may be torn. */
  static async ofOrphan(path: string): Promise<Segment> {
    return new Segment(path, undefined, (await stat(path)).size);
  }

  /** Nothing will be appended, and all was committed. */
  get isDone(): boolean {
    return !this.file && this.committedBytes >= this.safeBytes;
  }

  /** @param isDurable it returns when the disk has the bytes, not only the operating system */
  async append(bytes: Buffer, isDurable: boolean): Promise<void> {
    const file = this.file as FileHandle;
    try {
      for (let written = 0; written < bytes.length;) {
        written += (await file.write(bytes, written, bytes.length - written)).bytesWritten;
      }
      if (isDurable) await file.datasync();
    } catch (error) {
      // Half a record would be stepped over; a whole one of an answer that was refused should not count either.
      await file.truncate(this.safeBytes).catch(() => undefined);
      throw error;
    }
    this.safeBytes += bytes.length;
  }

  /**
   * The same, for those who wait for the operating system only: to copy some bytes into its cache takes a few
   * microseconds, to have another thread do it ten times as many.
   */
  appendNow(bytes: Buffer): void {
    const { fd } = this.file as FileHandle;
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    } catch (error) {
      this.#cut(fd);
      throw error;
    }
    this.safeBytes += bytes.length;
  }

  async read(max: number): Promise<SegmentRecords> {
    const from = this.committedBytes;
    const available = this.safeBytes - from;
    const wanted = Math.min(available, READ_BYTES);
    const bytes = await this.#readBytes(from, wanted);
    const isEnd = bytes.length < wanted || wanted === available;
    const { records, consumedBytes, skippedBytes } = decodeFrames(bytes, isEnd, max);
    // A file that is shorter than it was has nothing more to give.
    const isCut = bytes.length < wanted && consumedBytes === bytes.length;
    return { records, endBytes: isCut ? this.safeBytes : from + consumedBytes, skippedBytes };
  }

  async seal(): Promise<void> {
    const file = this.file;
    this.file = undefined;
    await file?.close();
  }

  async remove(): Promise<void> {
    await unlink(this.path).catch(() => undefined); // whoever removed it had the same reason
  }

  #cut(fd: number): void {
    try {
      ftruncateSync(fd, this.safeBytes);
    } catch {
      // As in `append`: readers step over it.
    }
  }

  async #readBytes(from: number, count: number): Promise<Buffer> {
    const file = this.file ?? (await open(this.path, 'r'));
    try {
      const bytes = Buffer.allocUnsafe(count);
      const { bytesRead } = await file.read(bytes, 0, count, from);
      return bytes.subarray(0, bytesRead);
    } finally {
      if (file !== this.file) await file.close();
    }
  }
}
