import type { FailureReason } from '../shared/failure-reason.js';

/** Why a target gave no answer. */
export interface TargetFailure {
  readonly reason: FailureReason;
  /** A sentence for the caller, without addresses and keys. */
  readonly message: string;
  /** The status of the upstream's answer, where there was one. */
  readonly upstreamStatus?: number;
  /** The `Retry-After` of the upstream. */
  readonly retryAfterMs?: number;
  /** The upstream's own code, for a request that it rejected. */
  readonly code?: string;
  /** The upstream's own parameter name, for a request that it rejected. */
  readonly param?: string;
  /** The `detail` of a 422 in our own form. */
  readonly detail?: readonly unknown[];
}

/** A target cannot be opened, so it cannot be asked. */
export class TargetUnavailableError extends Error {
  /**
   * @param reason `damaged`: its weights are not those that were committed; `transient`: its engine or store is away;
   *   `not_served`: it cannot compute with its base model
   */
  constructor(
    readonly reason: 'damaged' | 'transient' | 'not_served',
    cause: unknown,
  ) {
    super(`The target cannot be opened: ${reason}.`, { cause });
  }
}
