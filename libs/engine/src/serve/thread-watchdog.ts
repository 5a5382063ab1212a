/** State of a thread at one moment. */
export interface ThreadState {
  /** Messages that it has sent; it sends one each second while it is not in a native call. */
  readonly messages: number;
  /** Whether it opens a model: one native call, of minutes for a large one. */
  readonly isLoading: boolean;
  /** CPU time that the thread itself has used; null: this system does not say. */
  readonly cpuMs: number | null;
}

/** Factor of the limit for the one call that opens a model. */
const LOADING_FACTOR = 20;
/** A thread that computes nothing may wait for the disk, or for threads that get no core: for so many times the limit. */
const IDLE_FACTOR = 4;
/** Less CPU time counts as none: the clock of the system is no more exact. */
const IDLE_CPU_MS = 100;
/** For a thread that has not sent anything yet: one that could not start is not started again. */
const START_MS = 60_000;
/** Longest interval between two looks that counts. After a longer one, the whole process or machine was suspended. */
const MAX_TICK_MS = 3_000;

/**
 * Distinguishes a thread that hangs from one that is slow because others use the machine. A silent thread hangs if it
 * has used the CPU time of the limit without a message, or far longer no CPU time at all.
 */
export class ThreadWatchdog {
  private messages = 0;
  private lookedMs: number | null = null;
  private silentMs = 0;
  /** CPU time at the last look before which the thread had sent something. */
  private cpuMs: number | null = null;

  /** @param limitMs CPU time without a message, outside of loading */
  constructor(private readonly limitMs: number) {}

  /** @returns why the thread counts as hung; null: it does not */
  look(state: ThreadState, nowMs: number): string | null {
    const tickMs = Math.min(MAX_TICK_MS, nowMs - (this.lookedMs ?? nowMs));
    this.lookedMs = nowMs;
    if (state.messages !== this.messages || this.cpuMs === null) this.cpuMs = state.cpuMs;
    if (state.messages !== this.messages) this.silentMs = 0;
    else this.silentMs += tickMs;
    this.messages = state.messages;
    return state.messages === 0 ? this.startVerdict() : this.verdict(state);
  }

  private startVerdict(): string | null {
    return this.silentMs < Math.max(START_MS, this.limitMs) ? null : 'it has not started';
  }

  private verdict({ isLoading, cpuMs }: ThreadState): string | null {
    const limitMs = this.limitMs * (isLoading ? LOADING_FACTOR : 1);
    const isIdleTooLong = this.silentMs >= limitMs * IDLE_FACTOR;
    if (cpuMs === null || this.cpuMs === null) {
      return isIdleTooLong ? `it has sent nothing for ${Math.round(this.silentMs)} ms` : null;
    }
    const usedMs = cpuMs - this.cpuMs;
    if (usedMs >= limitMs) return `it has computed for ${usedMs} ms without sending anything`;
    return isIdleTooLong && usedMs < IDLE_CPU_MS ? `it has stood still for ${Math.round(this.silentMs)} ms` : null;
  }
}
