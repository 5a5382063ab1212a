import type { StepSeconds } from './engine-observer.js';

/** Adds up where the time of a gradient step goes. */
export class StepClock {
  private engineMs = 0;
  private wireMs = 0;
  private started = performance.now();

  /** A step begins. */
  start(): void {
    [this.engineMs, this.wireMs, this.started] = [0, 0, performance.now()];
  }

  /** Time in which the server has a request. */
  async waiting<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.engineMs += performance.now() - start;
    }
  }

  /** Time of encoding and decoding. */
  coding<T>(work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.wireMs += performance.now() - start;
    }
  }

  /** The step has been taken. */
  get seconds(): StepSeconds {
    const { engineMs, wireMs } = this;
    const lossMs = Math.max(0, performance.now() - this.started - engineMs - wireMs);
    return { engine: engineMs / 1_000, wire: wireMs / 1_000, loss: lossMs / 1_000 };
  }
}
