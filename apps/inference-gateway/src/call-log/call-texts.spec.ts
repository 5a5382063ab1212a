import { derivedOfAttributes, tokensOfSummary, toOpenRow } from '@hone/calls';

import type { CallContent } from './call-entry.js';
import { type BookedRequest, callTexts } from './call-texts.js';

const RECORD: BookedRequest = {
  ...{ uid: 'u', rid: 'r', startedAt: new Date(0), keyId: 'k', userId: 's', projectId: 'p' },
  ...{ modelAsked: 'asked', modelAnswered: 'answered', target: 't', checkpointId: null, status: 'ok', errorCode: null },
  ...{ promptTokens: 7, cachedTokens: 0, cacheWriteTokens: 0, completionTokens: 5, reasoningTokens: 0 },
  ...{ isStream: true, ttftMs: 12.6, durationMs: 30 },
};
const CONTENT: CallContent = {
  ...{ inputs: '{}', output: 'null', metadata: null, thread: null, isWithoutContent: false, tokens: null },
};
const ENTRY = { id: 'i', facts: { projectId: 'a/b', checkpoint: null, headers: { traceId: null, parentId: null } } };

const CASES: [string, Partial<BookedRequest>, Partial<CallContent>][] = [
  ['a plain answer', {}, {}],
  ['all kinds of tokens', { cachedTokens: 3, cacheWriteTokens: 2, reasoningTokens: 4 }, {}],
  ['more cached tokens than there are', { cachedTokens: 30 }, {}],
  ['an answer without tokens', { promptTokens: 0, completionTokens: 0, ttftMs: null }, {}],
  ['a name that is hard to store', { modelAnswered: `"\0\ud800${'x'.repeat(600)}` }, {}],
  ['a failure', { status: 'error', errorCode: 'upstream.timeout' }, {}],
  ['a checkpoint', { checkpointId: 'c' }, {}],
  ['a user in its metadata', {}, { metadata: '{"user_id":"Ada","ttft_ms":3,"prompt":{"id":"no"}}' }],
  ['a prompt', {}, { prompt: { id: 'greet', version: 'v3', digest: 'd', variables: { user: 'Ada' } } }],
];

describe('callTexts', () => {
  it.each(CASES)('tells of %s what its attributes and summary say', (_what, record, content) => {
    const texts = callTexts({ ...RECORD, ...record }, '[]', ENTRY, { ...CONTENT, ...content }, 'hone');
    const { row, attributes, summary } = texts;
    const models = tokensOfSummary(JSON.parse(summary));
    const errorClass = record.errorCode ?? null;
    const derived = { ...derivedOfAttributes(JSON.parse(attributes)), errorClass, models };
    const wanted = toOpenRow({ ...FACTS_OF_NOTHING, derived });
    expect(membersOf(row)).toEqual(membersOf(wanted));
  });
});

const FACTS_OF_NOTHING = {
  ...{ uid: 'u', projectRowId: 'p', id: 'i', svcUserId: 's', opName: 'o', traceId: 't', parentId: null },
  ...{ threadId: null, startedAt: '', endedAt: '', exception: null },
};

/** Those that lists and charts need. */
const membersOf = (row: string): string => row.slice(row.indexOf(',"ds":'));
