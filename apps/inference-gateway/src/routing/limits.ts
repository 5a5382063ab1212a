/** How long and how often a request is tried; §5.2 of the design. Each may stand at an upstream or on a route. */
export interface Limits {
  /** Streams: from dispatch to the first answer frame. */
  readonly ttftMs: number;
  /** The same, when no other target could answer. */
  readonly ttftLastMs: number;
  /** Gap between bytes after the first answer frame, or inside of a body. */
  readonly stallMs: number;
  /** Other answers: from dispatch to the headers. */
  readonly responseMs: number;
  /** The whole request, with all attempts and waits. */
  readonly totalMs: number;
  /** Extra tries on one target. */
  readonly retries: number;
  /** All tries of one request. */
  readonly maxAttempts: number;
  /** Wait before the first retry on a target; it doubles. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  /** A `Retry-After` up to this is waited for. */
  readonly retryAfterMaxMs: number;
  /** Silence after all choices have finished that counts as the end. */
  readonly doneGraceMs: number;
  /** Requests that may wait for the targets of one tier. */
  readonly queueMax: number;
  readonly queueMs: number;
  /** A caller who takes no byte for so long is given up. */
  readonly writeStallMs: number;
  /** Silence after which a held answer sends a comment; 0: never. */
  readonly keepaliveMs: number;
  /** What the buffered guard holds at most. */
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

/** When a target is left alone, and for how long. Stands at an upstream. */
export interface HealthLimits {
  /** Failures in a row that open the breaker. */
  readonly breakerFailures: number;
  /** How long it stays open; doubled at each failed probe, up to the maximum. */
  readonly breakerOpenMs: number;
  readonly breakerOpenMaxMs: number;
  /** Avoidance after a 429 without `Retry-After`; it doubles up to the maximum. */
  readonly coolingMs: number;
  readonly coolingMaxMs: number;
  /** A longer `Retry-After` is not believed. */
  readonly coolingRetryAfterMaxMs: number;
  /** How long a target is out whose key, quota or model is missing. */
  readonly outMs: number;
}

export const DEFAULT_HEALTH_LIMITS: HealthLimits = {
  breakerFailures: 3,
  breakerOpenMs: 5_000,
  breakerOpenMaxMs: 15_000,
  coolingMs: 1_000,
  coolingMaxMs: 15_000,
  coolingRetryAfterMaxMs: 60_000,
  outMs: 60_000,
};
