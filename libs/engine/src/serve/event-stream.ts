/** Values that may wait before the other side is told to pause, and the number at which it goes on. */
const FULL = 1_024;
const ROOM = 256;

/** How the side that pushes is slowed down. */
export interface Valve {
  close(): void;
  open(): void;
}

/** Values that are pushed on one side and iterated on the other, in order and without loss. */
export class EventStream<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private error: Error | null = null;
  private isEnded = false;
  private isFull = false;
  private wake: () => void = () => undefined;

  /**
   * @param onLeave called when the reader stops before the end
   * @param valve closed while many values wait; what comes all the same is kept
   */
  constructor(
    private readonly onLeave: () => void,
    private readonly valve: Valve | null = null,
  ) {}

  push(value: T): void {
    this.waiting.push(value);
    if (this.valve !== null && !this.isFull && this.waiting.length >= FULL) {
      this.isFull = true;
      this.valve.close();
    }
    this.wake();
  }

  /** Nothing more comes. With an error, the reader gets it after what was pushed before. */
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
    if (this.isFull && this.waiting.length <= ROOM) {
      this.isFull = false;
      this.valve?.open();
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
