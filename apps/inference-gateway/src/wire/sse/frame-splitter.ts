const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Buffers the bytes of an incomplete frame of server-sent events. */
export class FrameSplitter {
  private pending: Buffer[] = [];
  private pendingBytes = 0;

  /** Bytes of the incomplete frame. */
  get waitingBytes(): number {
    return this.pendingBytes;
  }

  /** @returns all bytes that can be read now; empty when no line has ended */
  push(chunk: Buffer): Buffer {
    // Most chunks consist of complete frames.
    if (this.pendingBytes === 0 && chunk.at(-1) === LINE_FEED) return chunk;
    this.keep(chunk);
    // A large frame in many chunks is concatenated once, not once per chunk.
    return chunk.includes(LINE_FEED) ? this.take() : NOTHING;
  }

  /** Puts back bytes that {@link push} returned and that are an incomplete frame. */
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
