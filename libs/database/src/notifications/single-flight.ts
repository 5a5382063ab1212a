/** Reads under way: those who ask for the same together share one. */
export class SingleFlight<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** The one under way. */
  get(key: string): Promise<Result> | undefined {
    return this.#running.get(key);
  }

  /** Begins one, for all who ask until it ends. */
  start(key: string, read: () => Promise<Result>): Promise<Result> {
    const running = read().finally(() => this.#running.get(key) === running && this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  /** Something has changed: what was begun before is not shared with those who come after. */
  forgetAll(): void {
    this.#running.clear();
  }
}
