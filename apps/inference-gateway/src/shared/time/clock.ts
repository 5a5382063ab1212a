import { CoarseTimers, type Timer } from './coarse-timers.js';

export type { Timer };

/** Time, as everything in the gateway sees it: specs have one that they move themselves. */
export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  after(ms: number, run: () => void): Timer;
}

/** From here on nobody minds some milliseconds more. */
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
