import { DEFAULT_HEALTH_LIMITS, type HealthLimits, type Limits } from '../routing/limits.js';
import type { ConfigObject } from './config-node.js';

/** Key in the file -> the limit, and the least it may be. */
const LIMITS = {
  ttft_ms: ['ttftMs', 1],
  ttft_last_ms: ['ttftLastMs', 1],
  stall_ms: ['stallMs', 1],
  response_ms: ['responseMs', 1],
  total_ms: ['totalMs', 1],
  retries: ['retries', 0],
  max_attempts: ['maxAttempts', 1],
  backoff_ms: ['backoffMs', 0],
  backoff_max_ms: ['backoffMaxMs', 0],
  retry_after_max_ms: ['retryAfterMaxMs', 0],
  done_grace_ms: ['doneGraceMs', 1],
  queue_max: ['queueMax', 0],
  queue_ms: ['queueMs', 0],
  write_stall_ms: ['writeStallMs', 1],
  keepalive_ms: ['keepaliveMs', 0],
  buffer_max_bytes: ['bufferMaxBytes', 1],
} as const satisfies Record<string, [keyof Limits, number]>;

const HEALTH_LIMITS = {
  breaker_failures: ['breakerFailures', 1],
  breaker_open_ms: ['breakerOpenMs', 1],
  breaker_open_max_ms: ['breakerOpenMaxMs', 1],
  cooling_ms: ['coolingMs', 1],
  cooling_max_ms: ['coolingMaxMs', 1],
  out_ms: ['outMs', 1],
} as const satisfies Record<string, [keyof HealthLimits, number]>;

export const LIMIT_KEYS = Object.keys(LIMITS);
export const HEALTH_KEYS = Object.keys(HEALTH_LIMITS);

/** The limits that stand in an object; the others are left to whatever stands behind it. */
export function readLimits(object: ConfigObject): Partial<Limits> {
  return readAll(object, LIMITS);
}

export function readHealthLimits(object: ConfigObject): HealthLimits {
  return { ...DEFAULT_HEALTH_LIMITS, ...readAll(object, HEALTH_LIMITS) };
}

function readAll<K extends string>(
  object: ConfigObject,
  table: Readonly<Record<string, readonly [K, number]>>,
): Partial<Record<K, number>> {
  const limits: Partial<Record<K, number>> = {};
  for (const [key, [name, min]] of Object.entries(table)) {
    const node = object.get(key);
    if (node !== null) limits[name] = node.integer(min);
  }
  return limits;
}
