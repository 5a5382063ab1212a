import type { Clock, Timer } from './clock.js';

interface Planned {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that advances only when a spec says so. */
export class FakeClock implements Clock {
  private nowMs = 0;
  private readonly planned = new Set<Planned>();

  now(): number {
    return this.nowMs;
  }

  after(ms: number, run: () => void): Timer {
    const planned = { atMs: this.nowMs + ms, run };
    this.planned.add(planned);
    return { cancel: () => this.planned.delete(planned) };
  }

  /** Runs the timers that are due within `ms`, in order; promises settle between them. */
  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    await settle();
    for (;;) {
      const [next] = [...this.planned].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.planned.delete(next);
      this.nowMs = next.atMs;
      next.run();
      await settle();
    }
    this.nowMs = endMs;
  }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
