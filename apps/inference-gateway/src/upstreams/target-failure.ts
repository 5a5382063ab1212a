/** Why an attempt gave no answer; the rows of the fault table that a target can see. */
export type FailureReason =
  /** Refused, no such host, TLS, connect limit. */
  | 'unreachable'
  /** The connection was lost before there were headers. */
  | 'reset'
  /** No headers, or no answer frame, within the limit. */
  | 'silent'
  /** The answer broke off, or ended without having finished. */
  | 'interrupted'
  | 'stalled'
  /** Text of the answer is missing. */
  | 'damaged'
  /** The upstream reported an error amid its answer. */
  | 'reported'
  /** 200, but no completion. */
  | 'invalid'
  /** Too much in one piece, or sent somewhere else. */
  | 'oversized'
  | 'redirected'
  | 'rate_limited'
  /** 503, 529. */
  | 'overloaded'
  /** Any other status that is the upstream's fault. */
  | 'failed'
  /** 401, 403: the gateway's own key is wrong. */
  | 'unauthorized'
  | 'no_quota'
  | 'no_model'
  | 'context_length'
  | 'content_filter'
  /** Any other status that is the request's fault. */
  | 'rejected'
  /** The embedded engine's worker died. */
  | 'crashed'
  /** The weights in the store are not those that were committed. */
  | 'corrupt'
  /** A constraint left no token to go on with. */
  | 'dead_end';

export interface TargetFailure {
  readonly reason: FailureReason;
  /** A sentence for the caller: no addresses, no keys. */
  readonly message: string;
  /** The status of the upstream's answer, where there was one. */
  readonly upstreamStatus?: number;
  /** How long the upstream asks to be left alone. */
  readonly retryAfterMs?: number;
  /** The upstream's own code, for a request that it rejected. */
  readonly code?: string;
  /** The upstream's own parameter name, for a request that it rejected. */
  readonly param?: string;
  /** The `detail` of a 422 in our own form. */
  readonly detail?: readonly unknown[];
}
