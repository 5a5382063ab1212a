/** Coalesces reads: callers who ask for the same key while its read is under way share that read. */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Promise<Result>>();

  /** The read under way; undefined: there is none. */
  get(key: string): Promise<Result> | undefined {
    return this.running.get(key);
  }

  /** Starts a read, which {@link get} returns until it ends. */
  start(key: string, read: () => Promise<Result>): Promise<Result> {
    const running = read().finally(() => this.running.get(key) === running && this.running.delete(key));
    this.running.set(key, running);
    return running;
  }

  /** Something has changed: later callers do not share the reads that began before. */
  forgetAll(): void {
    this.running.clear();
  }
}
