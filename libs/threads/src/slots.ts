/** Longest wait for a slot, and the error after it. */
export interface MaxWait {
  readonly ms: number;
  readonly toError: () => Error;
}

/** A counting semaphore: so many tasks run at once, the others wait, first come, first served. */
export class Slots {
  private readonly waiting = new Set<() => void>();
  private free: number;

  constructor(
    private readonly count: number,
    private readonly maxWait?: MaxWait,
  ) {
    this.free = count;
  }

  /** No task has a slot. */
  get areFree(): boolean {
    return this.free === this.count;
  }

  /** Takes a slot. @throws the signal's reason when it is aborted meanwhile, or the error of `maxWait` */
  async enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.free === 0) return this.wait(signal);
    this.free--;
  }

  /** Gives a slot back, or to the task that has waited longest. */
  leave(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.free++;
  }

  private wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.waiting.delete(enter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      const enter = () => (end(), resolve());
      const leave = () => (end(), reject(signal?.reason as Error));
      const timer = this.maxWait && setTimeout(() => (end(), reject(this.maxWait?.toError())), this.maxWait.ms);
      signal?.addEventListener('abort', leave);
      this.waiting.add(enter);
    });
  }
}
