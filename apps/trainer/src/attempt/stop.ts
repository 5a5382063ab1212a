/**
 * Why an attempt stops before its end: somebody cancelled the job; its lease is gone; no heartbeat got through for too
 * long, so that it may be gone; or the worker itself ends.
 */
export type StopReason = 'cancelled' | 'lost' | 'silent' | 'stopping';

/** Reason of an abort signal. */
export class AttemptStoppedError extends Error {
  constructor(readonly reason: StopReason) {
    super(`The attempt stops: ${reason}.`);
  }
}
