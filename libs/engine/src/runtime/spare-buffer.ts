/** Allocates this many bytes, alone in their buffer. */
export type Allocate = (bytes: number) => Uint8Array;

export const newBytes: Allocate = (bytes) => new Uint8Array(bytes);

/** Larger buffers are not kept: the time saved is small beside reading their content, and others need the memory. */
const MAX_BYTES = 32 * 2 ** 20;
/** Delay before the next buffer is prepared, so that the use of the last one goes first. */
const DELAY_MS = 200;
const PAGE_BYTES = 4096;

/**
 * Keeps one buffer ready, as large as the last one that was taken. The system gives memory a page at a time, when it is
 * touched first; in a virtual machine that can take longer than reading a file into it, 8 ms for 10 MB.
 */
export class SpareBuffer {
  private ready: Uint8Array | null = null;
  private refill: NodeJS.Timeout | undefined;

  /** @param allocate gives memory that is all zero */
  constructor(private readonly allocate: Allocate = newBytes) {}

  /** @returns bytes alone in their buffer, all zero */
  take(length: number): Uint8Array {
    const bytes = this.ready?.length === length ? this.ready : this.allocate(length);
    this.ready = null;
    clearTimeout(this.refill);
    if (length <= MAX_BYTES)
      this.refill = setTimeout(() => (this.ready = touched(this.allocate(length))), DELAY_MS).unref();
    return bytes;
  }
}

/** Touches every page of the bytes, and returns them. */
function touched(bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) bytes[at] = 0;
  return bytes;
}
