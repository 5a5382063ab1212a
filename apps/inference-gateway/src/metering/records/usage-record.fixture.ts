import { newId } from '@hone/database';

import { billOf, toModelPrice } from './cost.js';
import { recordJson } from './record-json.js';
import type { UsageRecord } from './usage-record.js';

export const A_PROJECT = '01890000-0000-7000-8000-000000000001';
export const A_KEY = '01890000-0000-7000-8000-000000000002';
const A_USER = '01890000-0000-7000-8000-000000000003';

/** A complete answer of 100 + 20 tokens at 0.15 and 0.60 USD per million: 27,000 nano-USD. */
export const aUsageRecord = (changes: Partial<UsageRecord> = {}): UsageRecord => ({
  uid: newId(),
  rid: 'req-1',
  responseId: 'chatcmpl-req-1',
  keyId: A_KEY,
  userId: A_USER,
  projectId: A_PROJECT,
  modelAsked: 'team-chat',
  modelAnswered: 'big-128k',
  target: 'backup/big-128k',
  route: 'chat',
  checkpointId: null,
  isStream: true,
  status: 'ok',
  errorCode: null,
  attempts: [{ target: 'backup/big-128k', outcome: 'ok', ms: 812 }],
  promptTokens: 100,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 20,
  reasoningTokens: 0,
  source: 'upstream',
  price: toModelPrice({ prompt: 0.15, cached: 0.07, completion: 0.6 }),
  startedAt: new Date('2026-11-20T10:30:00Z'),
  ttftMs: 120,
  durationMs: 812,
  ...changes,
});

/** The record as it is journalled. */
export const jsonOf = (record: UsageRecord): string => recordJson(record, billOf(record));
