import { costOf, isBilled } from './cost.js';
import type { UsageDraft, UsageRecord } from './usage-record.js';

/** Longer names are an upstream's whim; the interface itself allows 512 characters. */
const MAX_TEXT = 512;
/** What Postgres takes for no text. */
const UNSTORABLE = /\0/g;

/** The record of a request: its cost is decided here, once. Texts that upstreams chose are cut and made storable. */
export function toUsageRecord({ price, startedAt, ...draft }: UsageDraft): UsageRecord {
  const billed = isBilled(draft.status, draft);
  return {
    ...draft,
    responseId: storable(draft.responseId),
    modelAsked: storable(draft.modelAsked),
    modelAnswered: storable(draft.modelAnswered),
    target: storable(draft.target),
    errorCode: storable(draft.errorCode),
    attempts: draft.attempts.map((attempt) => ({
      ...attempt,
      target: storable(attempt.target),
      outcome: storable(attempt.outcome),
    })),
    ttftMs: draft.ttftMs === null ? null : Math.round(draft.ttftMs),
    durationMs: Math.round(draft.durationMs),
    startedAt: startedAt.toISOString(),
    pricePrompt: price.prompt,
    priceCached: price.cached,
    priceCompletion: price.completion,
    costNanoUsd: billed ? costOf(draft, price) : 0,
    isBilled: billed,
  };
}

function storable<Text extends string | null>(text: Text): Text {
  if (text === null) return text;
  return text.slice(0, MAX_TEXT).toWellFormed().replace(UNSTORABLE, '\ufffd') as Text;
}
