import { isoTime } from './iso-time.js';
import type { Bill } from './cost.js';
import type { AttemptUsage, UsageRecord } from './usage-record.js';

/** Longer names are an upstream's whim; the interface itself allows 512 characters. */
const MAX_TEXT = 512;
/** Needs no escape, and is what Postgres takes for text. */
const PLAIN = /^[ !#-[\]-~]{0,512}$/;
/** What Postgres takes for no text. */
const NUL = '\0';

/**
 * A record as the journal and the insert statement have it: a JSON object that leaves out what is null, false or 0.
 * Texts that upstreams chose are cut and made storable.
 *
 * It is written member by member: `JSON.stringify` takes twice as long, and every answer waits for it.
 */
export function recordJson(record: UsageRecord, { costNanoUsd, isBilled }: Bill): string {
  const { attempts, price } = record;
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
    word('checkpointId', record.checkpointId) +
    word('status', record.status) +
    text('errorCode', record.errorCode) +
    `,"attempts":[${attempts.map(attemptJson).join(',')}]` +
    count('promptTokens', record.promptTokens) +
    count('cachedTokens', record.cachedTokens) +
    count('completionTokens', record.completionTokens) +
    count('reasoningTokens', record.reasoningTokens) +
    word('source', record.source) +
    count('pricePrompt', price.prompt) +
    count('priceCached', price.cached) +
    count('priceCompletion', price.completion) +
    count('costNanoUsd', costNanoUsd) +
    flag('isBilled', isBilled) +
    flag('isStream', record.isStream) +
    (record.ttftMs === null ? '' : `,"ttftMs":${Math.round(record.ttftMs)}`) +
    `,"durationMs":${Math.round(record.durationMs)}}`
  );
}

/** What an attempt did not count stays out. */
const attemptJson = ({ target, outcome, ms, promptTokens, completionTokens }: AttemptUsage): string =>
  `{"target":${quoted(target)},"outcome":"${outcome}","ms":${Math.round(ms)}` +
  (promptTokens === undefined ? '' : `,"promptTokens":${promptTokens}`) +
  (completionTokens === undefined ? '}' : `,"completionTokens":${completionTokens}}`);

/** Of our own making, or checked when it came in: it needs no escape. */
const word = (name: string, value: string | null): string => (value === null ? '' : `,"${name}":"${value}"`);
const text = (name: string, value: string | null): string => (value === null ? '' : `,"${name}":${quoted(value)}`);
const count = (name: string, value: number): string => (value === 0 ? '' : `,"${name}":${value}`);
const flag = (name: string, value: boolean): string => (value ? `,"${name}":true` : '');

function quoted(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`;
  return JSON.stringify(value.slice(0, MAX_TEXT).toWellFormed().replaceAll(NUL, '\ufffd'));
}
