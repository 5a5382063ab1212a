/** Why an attempt failed: the rows of the fault table. Metrics, spans and usage records carry these words. */
export type FailureReason =
  /** Connection refused, no such host, TLS error, connect timeout. */
  | 'unreachable'
  /** The connection was lost before there were headers. */
  | 'reset'
  /** No headers, or no answer frame, within the time limit. */
  | 'silent'
  /** The answer broke off, or ended without having finished. */
  | 'interrupted'
  | 'stalled'
  /** Text of the answer is missing. */
  | 'damaged'
  /** The upstream reported an error amid its answer. */
  | 'reported'
  /** Status 200, but no completion. */
  | 'invalid'
  /** A body or frame above the limits. */
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
  /** A constraint left no token to continue with. */
  | 'dead_end';
