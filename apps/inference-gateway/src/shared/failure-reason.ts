/** Why an attempt failed: the rows of the fault table. Metrics, spans and usage records contain these values. */
export type FailureReason =
  /** Connection refused, no such host, TLS error, connect timeout. */
  | 'unreachable'
  /** The connection was lost before the response headers. */
  | 'reset'
  /** No headers, or no answer frame, within the time limit. */
  | 'silent'
  /** The connection was lost within the answer, or the answer ended without a finish reason. */
  | 'interrupted'
  /** No bytes within the stall limit, amid the answer. */
  | 'stalled'
  /** Text of the answer is missing. */
  | 'damaged'
  /** The upstream reported an error within its answer. */
  | 'reported'
  /** Status 200, but no completion. */
  | 'invalid'
  /** An answer, but not the one that was requested: fewer, more or other choices than `n`. */
  | 'mismatched'
  /** A body or frame above the limits: the request decides how large an answer is. */
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
  /** The server has not loaded the adapter of a trained model. */
  | 'not_loaded'
  /** Every slot for adapters is taken by others in use. */
  | 'no_slot'
  | 'context_length'
  | 'content_filter'
  /** Any other status that is the request's fault. */
  | 'rejected'
  /** The embedded engine's worker died. */
  | 'crashed'
  /** The stored weights differ from the committed ones. */
  | 'corrupt'
  /** A constraint allows no further token. */
  | 'dead_end';
