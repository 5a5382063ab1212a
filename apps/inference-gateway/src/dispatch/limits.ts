/** Time limits, retries and queueing of a request. Each may be set at an upstream or on a route. */
export interface Limits {
  /** Streams: time to first token, from dispatch to the first answer frame. */
  readonly ttftMs: number;
  /** The same, when no other target could answer. */
  readonly ttftLastMs: number;
  /** Longest gap between bytes after the first answer frame, or inside of a body. */
  readonly stallMs: number;
  /** Whole answers: from dispatch to the headers. */
  readonly responseMs: number;
  /** The whole request, with all attempts and waits. */
  readonly totalMs: number;
  /** Retries on one target. */
  readonly retries: number;
  /** Attempts of one request, over all targets. */
  readonly maxAttempts: number;
  /** Back-off before the first retry on a target; it doubles with each. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  /** Longest `Retry-After` that a request waits for. */
  readonly retryAfterMaxMs: number;
  /** Silence after all choices have finished that counts as the end. */
  readonly doneGraceMs: number;
  /** Requests that may wait for the targets of one tier. */
  readonly queueMax: number;
  readonly queueMs: number;
  /** A caller who reads no byte for this long is disconnected. */
  readonly writeStallMs: number;
  /** Silence after which a buffered stream sends an SSE comment; 0: never. */
  readonly keepaliveMs: number;
  /** Most bytes that the buffered guard holds. */
  readonly bufferMaxBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  ttftMs: 10_000,
  ttftLastMs: 60_000,
  stallMs: 15_000,
  responseMs: 120_000,
  totalMs: 600_000,
  retries: 2,
  maxAttempts: 6,
  backoffMs: 500,
  backoffMaxMs: 8_000,
  retryAfterMaxMs: 5_000,
  doneGraceMs: 1_000,
  queueMax: 512,
  queueMs: 10_000,
  writeStallMs: 120_000,
  keepaliveMs: 15_000,
  bufferMaxBytes: 8 * 1_048_576,
};

/** Circuit breaker and cooldown of a target. Set at an upstream. */
export interface HealthLimits {
  /** Consecutive failures that open the breaker. */
  readonly breakerFailures: number;
  /** How long it stays open; doubled at each failed probe, up to the maximum. */
  readonly breakerOpenMs: number;
  readonly breakerOpenMaxMs: number;
  /** Cooldown after a 429 without `Retry-After`; it doubles up to the maximum. */
  readonly coolingMs: number;
  readonly coolingMaxMs: number;
  /** How long a target is taken out whose key, quota or model is missing. */
  readonly outMs: number;
}

export const DEFAULT_HEALTH_LIMITS: HealthLimits = {
  breakerFailures: 3,
  breakerOpenMs: 5_000,
  breakerOpenMaxMs: 15_000,
  coolingMs: 1_000,
  coolingMaxMs: 15_000,
  outMs: 60_000,
};
