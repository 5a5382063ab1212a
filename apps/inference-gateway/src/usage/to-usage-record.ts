import { costOf, isBilled } from './cost.js';
import type { AttemptUsage, UsageDraft, UsageRecord } from './usage-record.js';

/** Longer names are an upstream's whim; the interface itself allows 512 characters. */
const MAX_TEXT = 512;
/** What Postgres takes for no text. */
const NUL = '\0';

/** The record of a request: its cost is decided here, once. Texts that upstreams chose are cut and made storable. */
export function toUsageRecord(draft: UsageDraft): UsageRecord {
  const { price } = draft;
  const billed = isBilled(draft.status, draft);
  // Listed one by one: copying the draft as a whole takes ten times as long, and this happens to every request.
  return {
    uid: draft.uid,
    rid: draft.rid,
    responseId: storable(draft.responseId),
    keyId: draft.keyId,
    userId: draft.userId,
    projectId: draft.projectId,
    modelAsked: storable(draft.modelAsked),
    modelAnswered: storable(draft.modelAnswered),
    target: storable(draft.target),
    checkpointId: draft.checkpointId,
    isStream: draft.isStream,
    status: draft.status,
    errorCode: storable(draft.errorCode),
    attempts: draft.attempts.map(storableAttempt),
    promptTokens: draft.promptTokens,
    cachedTokens: draft.cachedTokens,
    completionTokens: draft.completionTokens,
    reasoningTokens: draft.reasoningTokens,
    source: draft.source,
    startedAt: draft.startedAt.toISOString(),
    ttftMs: draft.ttftMs === null ? null : Math.round(draft.ttftMs),
    durationMs: Math.round(draft.durationMs),
    pricePrompt: price.prompt,
    priceCached: price.cached,
    priceCompletion: price.completion,
    costNanoUsd: billed ? costOf(draft, price) : 0,
    isBilled: billed,
  };
}

/** What an attempt did not count stays out of the JSON. */
const storableAttempt = ({ target, outcome, ms, promptTokens, completionTokens }: AttemptUsage): AttemptUsage => ({
  target: storable(target),
  outcome: storable(outcome),
  ms,
  promptTokens,
  completionTokens,
});

function storable<Text extends string | null>(text: Text): Text {
  if (text === null || (text.length <= MAX_TEXT && text.isWellFormed() && !text.includes(NUL))) return text;
  return text.slice(0, MAX_TEXT).toWellFormed().replaceAll(NUL, '\ufffd') as Text;
}
