/** The producer pauses at the high watermark of waiting values, and resumes at the low one. */
const HIGH_WATERMARK = 1_024;
const LOW_WATERMARK = 256;

/** Backpressure on the producer. */
interface FlowControl {
  pause(): void;
  resume(): void;
}

/** Values that are pushed on one side and iterated on the other, in order and without loss. */
export class EventStream<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private error: Error | null = null;
  private isEnded = false;
  private isPaused = false;
  private wake: () => void = () => undefined;

  /**
   * @param onLeave called when the reader stops before the end
   * @param flowControl paused while many values wait; values that arrive all the same are kept
   */
  constructor(
    private readonly onLeave: () => void,
    private readonly flowControl: FlowControl | null = null,
  ) {}

  push(value: T): void {
    this.waiting.push(value);
    if (this.flowControl !== null && !this.isPaused && this.waiting.length >= HIGH_WATERMARK) {
      this.isPaused = true;
      this.flowControl.pause();
    }
    this.wake();
  }

  /** Ends the stream. The reader gets the error after all values that were pushed before. */
  end(error: Error | null = null): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.error = error;
    this.wake();
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.waiting.length === 0) {
      if (this.isEnded) return this.finish();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const value = this.waiting.shift() as T;
    if (this.isPaused && this.waiting.length <= LOW_WATERMARK) {
      this.isPaused = false;
      this.flowControl?.resume();
    }
    return { done: false, value };
  }

  return(): Promise<IteratorResult<T>> {
    if (!this.isEnded) this.onLeave();
    this.isEnded = true;
    this.waiting.length = 0;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private finish(): IteratorResult<T> {
    const { error } = this;
    this.error = null;
    if (error !== null) throw error;
    return { done: true, value: undefined };
  }
}
