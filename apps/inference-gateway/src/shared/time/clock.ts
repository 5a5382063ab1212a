import { CoarseTimers, type Timer } from './coarse-timers.js';

export type { Timer };

/** The gateway's source of time; specs replace it with a fake clock. */
export interface Clock {
  /** Monotonic milliseconds since an arbitrary start. */
  now(): number;
  after(ms: number, run: () => void): Timer;
}

/** Timers of at least this duration may fire some milliseconds late. */
const COARSE_MS = 1_000;
const coarse = new CoarseTimers();

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    if (ms >= COARSE_MS) return coarse.after(ms, run);
    const timeout = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timeout) };
  },
};
