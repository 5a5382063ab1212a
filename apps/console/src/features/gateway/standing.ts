import type { GatewayFailureDto, GatewayTargetDto } from '@hone/client';

import type { Tone } from '../../shared/ui/badge.js';

/** How a target is, in a word. */
export interface Standing {
  readonly tone: Tone;
  readonly word: string;
  /** Until when, ISO 8601; null: until something happens. */
  readonly until: string | null;
  /** What that means for requests. */
  readonly meaning: string;
}

/** What keeps requests away comes first. @param isDeleted whether the trained model or its checkpoint is deleted */
export function standingOf(target: GatewayTargetDto, isDeleted: boolean): Standing {
  const { breaker, out_until, cooling_until, in_flight, max_concurrency } = target;
  if (isDeleted) {
    const meaning = 'The trained model or this checkpoint was deleted: who asks for it gets a 404.';
    return { tone: 'muted', word: 'deleted', until: null, meaning };
  }
  if (out_until !== null) {
    const meaning = 'It gets no requests: its key, its quota or the model is missing.';
    return { tone: 'bad', word: 'out', until: out_until, meaning };
  }
  if (breaker.state === 'open') {
    const meaning = 'It gets no requests: it failed too often. Then one request probes whether it is back.';
    return { tone: 'bad', word: 'open', until: breaker.half_open_at, meaning };
  }
  if (breaker.state === 'half-open') {
    const meaning = 'One request at a time probes whether it is back.';
    return { tone: 'warn', word: 'half-open', until: null, meaning };
  }
  if (cooling_until !== null) {
    const meaning = 'It answered 429, so that other targets are preferred.';
    return { tone: 'warn', word: 'cooling down', until: cooling_until, meaning };
  }
  if (in_flight >= max_concurrency) {
    return { tone: 'warn', word: 'full', until: null, meaning: 'All of its slots are taken: requests wait.' };
  }
  return { tone: 'good', word: 'healthy', until: null, meaning: 'It gets requests.' };
}

const REASONS: Readonly<Record<GatewayFailureDto['reason'], string>> = {
  unreachable: 'no connection',
  reset: 'connection lost before the answer',
  silent: 'no answer in time',
  interrupted: 'the answer broke off',
  stalled: 'the answer stalled',
  damaged: 'the answer lost text',
  reported: 'an error within the answer',
  invalid: 'no valid completion',
  mismatched: 'not the choices that were asked for',
  oversized: 'the answer was too large',
  redirected: 'a redirect',
  rate_limited: 'rate limited',
  overloaded: 'overloaded',
  failed: 'server error',
  unauthorized: 'key refused',
  no_quota: 'quota spent',
  no_model: 'model missing',
  not_loaded: 'adapter not loaded',
  no_slot: 'no slot for the adapter',
  context_length: 'prompt too long',
  content_filter: 'content filtered',
  rejected: 'request refused',
  crashed: 'engine crashed',
  corrupt: 'checkpoint damaged',
  dead_end: 'constraint without a next token',
};

/** Why an attempt failed; a reason of a later server as it is. */
export const reasonText = (reason: string): string => (REASONS as Readonly<Record<string, string>>)[reason] ?? reason;

/** What became of the request. @param id of the target that failed */
export function outcomeOf(
  { forwarded, moved_to, code }: GatewayFailureDto,
  { upstream, model }: GatewayTargetDto,
): string {
  if (forwarded) return 'the stream ended with an error';
  if (moved_to === null) return `failed with ${code}`;
  return moved_to === `${upstream}/${model}` ? 'tried again here' : `went on to ${moved_to}`;
}
