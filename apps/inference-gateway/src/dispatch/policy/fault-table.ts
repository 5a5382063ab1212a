import type { FailureReason } from '../../shared/failure-reason.js';

/** What the gateway does about a failure before anything was forwarded, and the error when no target is left. */
export interface Fault {
  /**
   * Retries on the same target: `backoff` after a wait, `once` the first at once and others after a wait, `single` one
   * at once and no other, `retry-after` as the target asks, or none.
   */
  readonly retry: 'backoff' | 'once' | 'single' | 'retry-after' | 'none';
  /** Which other targets are tried. */
  readonly next: 'any' | 'larger-context' | 'declared' | 'none';
  /** Effect on the target's health. A `crash` ends all its requests of the moment, and counts as one failure. */
  readonly health: 'failure' | 'crash' | 'cooling' | 'out' | 'none';
  /** Status and `error.code` when nothing was sent yet. Null: those of the upstream. */
  readonly status: number | null;
  readonly code: string | null;
  /** `error.code` after the commit point. */
  readonly streamCode: string;
}

const fault = (
  [retry, next, health]: [Fault['retry'], Fault['next'], Fault['health']],
  status: number | null,
  code: string | null,
  streamCode = 'stream_interrupted',
): Fault => ({ retry, next, health, status, code, streamCode });

const RETRIED = ['backoff', 'any', 'failure'] as [Fault['retry'], Fault['next'], Fault['health']];
const LEFT = ['none', 'any', 'failure'] as typeof RETRIED;
const OUT = ['none', 'any', 'out'] as typeof RETRIED;

/** The fault table: reason -> what is done about it. */
export const FAULT_TABLE: Readonly<Record<FailureReason, Fault>> = {
  unreachable: fault(RETRIED, 502, 'upstream_unreachable'),
  reset: fault(['once', 'any', 'failure'], 502, 'upstream_unreachable'),
  silent: fault(LEFT, 504, 'upstream_timeout', 'upstream_timeout'),
  interrupted: fault(RETRIED, 502, 'upstream_failed'),
  stalled: fault(LEFT, 504, 'upstream_timeout', 'stream_stalled'),
  damaged: fault(RETRIED, 502, 'upstream_invalid', 'stream_damaged'),
  reported: fault(RETRIED, 502, 'upstream_failed', 'upstream_failed'),
  invalid: fault(RETRIED, 502, 'upstream_invalid', 'upstream_failed'),
  // What the request asks for decides on these two: they say nothing about the target's health.
  mismatched: fault(['none', 'any', 'none'], 502, 'upstream_invalid'),
  oversized: fault(['none', 'any', 'none'], 502, 'upstream_invalid'),
  redirected: fault(LEFT, 502, 'upstream_invalid'),
  rate_limited: fault(['retry-after', 'any', 'cooling'], 429, 'upstream_rate_limited'),
  overloaded: fault(RETRIED, 503, 'overloaded', 'upstream_failed'),
  failed: fault(RETRIED, 502, 'upstream_failed', 'upstream_failed'),
  unauthorized: fault(OUT, 502, 'upstream_auth'),
  no_quota: fault(OUT, 502, 'upstream_failed'),
  no_model: fault(OUT, 502, 'upstream_failed'),
  // Of one adapter: they say nothing about the server's health.
  not_loaded: fault(['none', 'any', 'none'], 502, 'adapter_not_loaded', 'upstream_failed'),
  no_slot: fault(['none', 'any', 'none'], 503, 'overloaded', 'upstream_failed'),
  context_length: fault(['none', 'larger-context', 'none'], 400, 'context_length_exceeded', 'upstream_failed'),
  content_filter: fault(['none', 'none', 'none'], 400, 'content_policy_violation', 'upstream_failed'),
  rejected: fault(['none', 'declared', 'none'], null, null, 'upstream_failed'),
  crashed: fault(['single', 'any', 'crash'], 502, 'upstream_failed', 'upstream_failed'),
  corrupt: fault(['none', 'any', 'none'], 502, 'storage_corrupt', 'storage_corrupt'),
  dead_end: fault(['none', 'none', 'none'], 500, 'constraint_dead_end', 'constraint_dead_end'),
};
