/** Values that are pushed on one side and iterated on the other, in order and without loss. */
export class EventStream<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private error: Error | null = null;
  private isEnded = false;
  private wake: () => void = () => undefined;

  /** @param onLeave called when the reader stops before the end */
  constructor(private readonly onLeave: () => void) {}

  push(value: T): void {
    this.waiting.push(value);
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
    return { done: false, value: this.waiting.shift() as T };
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
