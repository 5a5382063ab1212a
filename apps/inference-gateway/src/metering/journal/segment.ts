import { ftruncateSync, writeSync } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';

import { decodeFrames, MAX_PAYLOAD_BYTES } from './frame.js';
import type { RecordList } from './record-list.js';

const READ_BYTES = 4 * MAX_PAYLOAD_BYTES;

/** Records of one segment that are not committed yet. */
export interface SegmentRecords {
  records: RecordList;
  /** End offset of the last record. */
  endBytes: number;
  skippedBytes: number;
}

/** One file of the write-ahead log: appended by its creator, read from start to end. */
export class Segment {
  /** Watermark: bytes that were read and committed. */
  committedBytes = 0;

  private constructor(
    readonly path: string,
    /** Undefined: sealed. There may be thousands of sealed segments, so they are opened for each read only. */
    private file: FileHandle | undefined,
    /** Watermark: bytes that are as durable as `sync` says; readers see no more. */
    public safeBytes: number,
  ) {}

  static async create(path: string): Promise<Segment> {
    return new Segment(path, await open(path, 'ax+', 0o600), 0);
  }

  /** A segment of a dead process; its tail may be torn. */
  static async ofOrphan(path: string): Promise<Segment> {
    return new Segment(path, undefined, (await stat(path)).size);
  }

  /** Sealed, and committed to its end. */
  get isDone(): boolean {
    return !this.file && this.committedBytes >= this.safeBytes;
  }

  /** @param isDurable wait for the disk (fsync), not only for the operating system */
  async append(bytes: Buffer, isDurable: boolean): Promise<void> {
    const file = this.file as FileHandle;
    try {
      for (let written = 0; written < bytes.length;) {
        written += (await file.write(bytes, written, bytes.length - written)).bytesWritten;
      }
      if (isDurable) await file.datasync();
    } catch (error) {
      // Readers would skip a torn record, but a complete record of a refused answer must not be billed.
      await file.truncate(this.safeBytes).catch(() => undefined);
      throw error;
    }
    this.safeBytes += bytes.length;
  }

  /**
   * Appends synchronously, without waiting for the disk: the copy into the page cache takes a few microseconds, a write
   * in another thread ten times as long.
   */
  appendNow(bytes: Buffer): void {
    const { fd } = this.file as FileHandle;
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    } catch (error) {
      this.cut(fd);
      throw error;
    }
    this.safeBytes += bytes.length;
  }

  async read(max: number): Promise<SegmentRecords> {
    const from = this.committedBytes;
    const available = this.safeBytes - from;
    const wanted = Math.min(available, READ_BYTES);
    const bytes = await this.readBytes(from, wanted);
    const isEnd = bytes.length < wanted || wanted === available;
    const { records, consumedBytes, skippedBytes } = decodeFrames(bytes, isEnd, max);
    // The file was truncated: there is nothing more to read.
    const isCut = bytes.length < wanted && consumedBytes === bytes.length;
    return { records, endBytes: isCut ? this.safeBytes : from + consumedBytes, skippedBytes };
  }

  async seal(): Promise<void> {
    const file = this.file;
    this.file = undefined;
    await file?.close();
  }

  async remove(): Promise<void> {
    await unlink(this.path).catch(() => undefined); // another process removed it first
  }

  private cut(fd: number): void {
    try {
      ftruncateSync(fd, this.safeBytes);
    } catch {
      // Readers skip a torn record.
    }
  }

  private async readBytes(from: number, count: number): Promise<Buffer> {
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
