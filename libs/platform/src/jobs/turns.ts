/** Lets works begin one after the other: each once the last one has ended, or has had its time. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** @param patience resolves when a work that has just begun need not have ended for the next one to begin */
  constructor(private readonly patience: () => Promise<unknown>) {}

  /** @returns what `work` returns; it fails as `work` fails */
  take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.last;
    const done = before.then(work);
    const ended = done.catch(() => undefined);
    this.last = before.then(() => Promise.race([ended, this.patience()]));
    return done;
  }
}
