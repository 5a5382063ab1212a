import type { FailureReason } from '../upstreams/target-failure.js';

/** What a request does about a failure before anything was forwarded, and what is told when nothing else is left. */
export interface Fault {
  /**
   * Tries on the same target: after a wait, the first at once and others after a wait, one at once and no other, as it
   * asks in `Retry-After`, or none.
   */
  readonly retry: 'backoff' | 'once' | 'single' | 'retry-after' | 'none';
  /** Which other targets are tried. */
  readonly next: 'any' | 'larger-context' | 'declared' | 'none';
  /** A `crash` ends all requests of the moment, and is one failure. */
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

/** The fault table, §5.4 of the design. */
export const FAULTS: Readonly<Record<FailureReason, Fault>> = {
  unreachable: fault(RETRIED, 502, 'upstream_unreachable'),
  reset: fault(['once', 'any', 'failure'], 502, 'upstream_unreachable'),
  silent: fault(LEFT, 504, 'upstream_timeout', 'upstream_timeout'),
  interrupted: fault(RETRIED, 502, 'upstream_failed'),
  stalled: fault(LEFT, 504, 'upstream_timeout', 'stream_stalled'),
  damaged: fault(RETRIED, 502, 'upstream_invalid', 'stream_damaged'),
  reported: fault(RETRIED, 502, 'upstream_failed', 'upstream_failed'),
  invalid: fault(RETRIED, 502, 'upstream_invalid', 'upstream_failed'),
  oversized: fault(LEFT, 502, 'upstream_invalid'),
  redirected: fault(LEFT, 502, 'upstream_invalid'),
  rate_limited: fault(['retry-after', 'any', 'cooling'], 429, 'upstream_rate_limited'),
  overloaded: fault(RETRIED, 503, 'overloaded', 'upstream_failed'),
  failed: fault(RETRIED, 502, 'upstream_failed', 'upstream_failed'),
  unauthorized: fault(OUT, 502, 'upstream_auth'),
  no_quota: fault(OUT, 502, 'upstream_failed'),
  no_model: fault(OUT, 502, 'upstream_failed'),
  context_length: fault(['none', 'larger-context', 'none'], 400, 'context_length_exceeded'),
  content_filter: fault(['none', 'none', 'none'], 400, 'content_policy_violation'),
  rejected: fault(['none', 'declared', 'none'], null, null),
  crashed: fault(['single', 'any', 'crash'], 502, 'upstream_failed', 'upstream_failed'),
  corrupt: fault(['none', 'any', 'none'], 502, 'storage_corrupt', 'storage_corrupt'),
  dead_end: fault(['none', 'none', 'none'], 500, 'constraint_dead_end', 'constraint_dead_end'),
};
