const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Keeps the bytes of a frame that has not come to its end. */
export class FrameSplitter {
  private pending: Buffer[] = [];
  private pendingBytes = 0;

  /** Bytes that are waiting for the rest of their frame. */
  get waitingBytes(): number {
    return this.pendingBytes;
  }

  /** @returns all bytes that are to be read now, empty when no line has ended */
  push(chunk: Buffer): Buffer {
    // Most chunks are frames from their first byte to their last.
    if (this.pendingBytes === 0 && chunk.at(-1) === LINE_FEED) return chunk;
    this.keep(chunk);
    // A large frame in many chunks is put together once, not once per chunk.
    return chunk.includes(LINE_FEED) ? this.take() : NOTHING;
  }

  /** What {@link push} gave and nobody could read yet. */
  keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
  }

  take(): Buffer {
    const bytes = this.pending.length === 1 ? (this.pending[0] as Buffer) : Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    return bytes;
  }
}
