import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';

import { GgufDamagedError } from './gguf-reader.errors.js';

const WINDOW_BYTES = 1 << 20;

/**
 * Reads little-endian values one after the other through a window on the file. Nothing is allocated for a length that
 * the rest of the file does not have.
 */
export class ByteCursor {
  private readonly window: Buffer;
  private windowStart = 0;
  private windowEnd = 0;
  /** Byte offset of what is read next. */
  position = 0;

  /** @param size of the file, bytes */
  constructor(
    readonly file: string,
    private readonly fd: number,
    readonly size: number,
  ) {
    this.window = Buffer.alloc(Math.min(WINDOW_BYTES, size));
  }

  /** Bytes from here to the end of the file. */
  get left(): number {
    return this.size - this.position;
  }

  uint8(): number {
    return this.window.readUInt8(this.take(1));
  }

  uint32(): number {
    return this.window.readUInt32LE(this.take(4));
  }

  uint64(): bigint {
    return this.window.readBigUInt64LE(this.take(8));
  }

  /** A 64-bit count of things that each take at least `leastBytes` of the file. @throws GgufDamagedError */
  count(what: string, leastBytes: number, most = Number.MAX_SAFE_INTEGER): number {
    const at = this.position;
    const from = this.take(8);
    // Not as a bigint: vocabularies have hundreds of thousands of texts. What a number cannot hold is above any limit.
    const count = this.window.readUInt32LE(from) + 2 ** 32 * this.window.readUInt32LE(from + 4);
    if (count > Math.min(most, this.left / leastBytes)) {
      const limit = count > most ? `at most ${most} are read` : `${this.left} bytes are left`;
      throw this.damaged(`it claims ${this.window.readBigUInt64LE(from)} ${what}, ${limit}`, at);
    }
    return count;
  }

  /** UTF-8 after its length in bytes. */
  text(mostBytes: number): string {
    const at = this.position;
    const bytes = this.bytes(this.count('bytes of text', 1, mostBytes));
    if (!isUtf8(bytes)) throw this.damaged('the text is not UTF-8', at);
    return bytes.toString('utf8');
  }

  /** Moves past a text, without a check that it is UTF-8. */
  skipText(mostBytes: number): void {
    this.skip(this.count('bytes of text', 1, mostBytes));
  }

  skip(length: number): void {
    this.assertLeft(length);
    this.position += length;
  }

  /** A copy of the next bytes. */
  bytes(length: number): Buffer {
    this.assertLeft(length);
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length;) {
      const part = Math.min(length - done, this.window.length);
      const from = this.take(part);
      this.window.copy(bytes, done, from, from + part);
      done += part;
    }
    return bytes;
  }

  damaged(reason: string, at = this.position): GgufDamagedError {
    return new GgufDamagedError(this.file, `at byte ${at}`, reason);
  }

  /** Moves on by up to a window's length. @returns where in the window the bytes are */
  private take(length: number): number {
    this.assertLeft(length);
    if (this.position + length > this.windowEnd) this.fill();
    const from = this.position - this.windowStart;
    this.position += length;
    return from;
  }

  private fill(): void {
    const wanted = Math.min(this.window.length, this.left);
    this.windowStart = this.position;
    this.windowEnd = this.position;
    while (this.windowEnd - this.windowStart < wanted) {
      const done = this.windowEnd - this.windowStart;
      const bytes = readSync(this.fd, this.window, done, wanted - done, this.windowEnd);
      if (bytes === 0) throw this.damaged('the file became shorter while it was read', this.windowEnd);
      this.windowEnd += bytes;
    }
  }

  private assertLeft(length: number): void {
    if (length > this.left) throw this.damaged(`${length} bytes are expected, the file has ${this.left} more`);
  }
}
