import { countMember as count, quoted, textMember as text, wordMember as word } from '../../shared/storable-json.js';
import { isoTime } from '../../shared/time/iso-time.js';
import type { Bill } from './cost.js';
import type { AttemptUsage, UsageRecord } from './usage-record.js';

/**
 * Encodes a record for the journal and the insert statement: a JSON object without members that are null, false or 0,
 * and without prices that are those of all tokens of the prompt, or of the completion.
 * Texts of upstreams are cut and made storable.
 *
 * The text is built member by member: `JSON.stringify` takes twice as long, and every answer waits for it.
 *
 * @param attempts of {@link attemptsJson}
 */
export function recordJson(record: UsageRecord, bill: Bill, attempts = attemptsJson(record)): string {
  const { price } = record;
  const { costNanoUsd, isBilled } = bill;
  return (
    `{"uid":"${record.uid}","startedAt":"${isoTime(record.startedAt)}"` +
    word('rid', record.rid) +
    word('responseId', record.responseId) +
    word('keyId', record.keyId) +
    word('userId', record.userId) +
    word('projectId', record.projectId) +
    text('modelAsked', record.modelAsked) +
    text('modelAnswered', record.modelAnswered) +
    text('target', record.target) +
    text('route', record.route) +
    word('checkpointId', record.checkpointId) +
    word('status', record.status) +
    text('errorCode', record.errorCode) +
    `,"attempts":${attempts}` +
    count('promptTokens', record.promptTokens) +
    count('cachedTokens', record.cachedTokens) +
    count('cacheWriteTokens', record.cacheWriteTokens) +
    count('completionTokens', record.completionTokens) +
    count('reasoningTokens', record.reasoningTokens) +
    word('source', record.source) +
    count('pricePrompt', price.prompt) +
    count('priceCached', price.cached) +
    count('priceCompletion', price.completion) +
    (price.cacheWrite === price.prompt ? '' : `,"priceCacheWrite":${price.cacheWrite}`) +
    (price.reasoning === price.completion ? '' : `,"priceReasoning":${price.reasoning}`) +
    count('costNanoUsd', costNanoUsd) +
    flag('isBilled', isBilled) +
    flag('isStream', record.isStream) +
    (record.ttftMs === null ? '' : `,"ttftMs":${Math.round(record.ttftMs)}`) +
    `,"durationMs":${Math.round(record.durationMs)}}`
  );
}

/** The attempts of a record as a JSON array. */
export const attemptsJson = ({ attempts }: UsageRecord): string => `[${attempts.map(attemptJson).join(',')}]`;

/** Counts that the attempt does not have are left out. */
const attemptJson = ({ target, outcome, ms, promptTokens, completionTokens }: AttemptUsage): string =>
  `{"target":${quoted(target)},"outcome":"${outcome}","ms":${Math.round(ms)}` +
  (promptTokens === undefined ? '' : `,"promptTokens":${promptTokens}`) +
  (completionTokens === undefined ? '}' : `,"completionTokens":${completionTokens}}`);

const flag = (name: string, value: boolean): string => (value ? `,"${name}":true` : '');
