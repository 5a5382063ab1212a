/**
 * Why an attempt stops before its end: a user cancelled the job; the lease is lost; no heartbeat succeeded for so
 * long that the lease may be lost; or the worker stops.
 */
export type StopReason = 'cancelled' | 'lost' | 'silent' | 'stopping';

/** Reason of an abort signal. */
export class AttemptStoppedError extends Error {
  constructor(readonly reason: StopReason) {
    super(`The attempt stops: ${reason}.`);
  }
}
