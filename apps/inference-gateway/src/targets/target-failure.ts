import type { FailureReason } from '../shared/failure-reason.js';

/** Failure of an attempt. */
export interface TargetFailure {
  readonly reason: FailureReason;
  /** Message for the caller, without addresses and keys. */
  readonly message: string;
  /** Status of the upstream's response, if there was one. */
  readonly upstreamStatus?: number;
  /** `Retry-After` of the upstream. */
  readonly retryAfterMs?: number;
  /** The upstream's own code, for a request that it rejected. */
  readonly code?: string;
  /** The upstream's own parameter name, for a request that it rejected. */
  readonly param?: string;
  /** It answered with one choice where several were asked for. Absent: false. */
  readonly hasOneChoice?: boolean;
  /** The `detail` of a 422 in our own form. */
  readonly detail?: readonly unknown[];
}

/** A target cannot be opened, so no request is dispatched to it. */
export class TargetUnavailableError extends Error {
  /**
   * @param reason `damaged`: the stored weights differ from the committed ones; `transient`: its engine or store is
   *   unavailable; `not_served`: the upstream cannot serve its base model
   */
  constructor(
    readonly reason: 'damaged' | 'transient' | 'not_served',
    cause: unknown,
  ) {
    super(`The target cannot be opened: ${reason}.`, { cause });
  }
}
