import type { JsonValue } from '@hone/contracts';

import { type CallFacts, toOpenRow, withValues } from './call-row.js';
import { type DerivedFacts, derivedOfAttributes } from './derived/derived.js';
import { errorClassOf } from './derived/error-class.js';
import { tokensOfSummary } from './derived/model-tokens.js';
import { draftOfBytes } from './json-draft.js';

const EXCEPTION = 'TimeoutError: "late"';
const FACTS: CallFacts = {
  ...{ uid: 'u', projectRowId: 'p', id: 'i', svcUserId: 's', opName: 'o', traceId: 't', parentId: null },
  ...{ threadId: null, startedAt: '2026-11-01T00:00:00Z', endedAt: '2026-11-01T00:00:01Z', exception: EXCEPTION },
  derived: { endUser: null, promptRef: null, checkpointId: null, firstTokenMs: null, errorClass: null, models: [] },
};
const VALUES = {
  attributes: { metadata: { user_id: 'ada' }, prompt: { id: 'greet', version: 'v2' }, checkpoint: 'c', ttft_ms: 12 },
  inputs: { messages: [{ role: 'user', content: 'Where is "it"?' }] },
  output: { choices: [{ message: { content: 'Here.' } }] },
  summary: { usage: { m: { requests: 1, prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cached_tokens: 1 } } },
};
const bytes = (value: unknown) => draftOfBytes(Buffer.from(JSON.stringify(value)));
const DRAFTS = {
  ...{ attributes: bytes(VALUES.attributes), inputs: bytes(VALUES.inputs) },
  ...{ output: bytes(VALUES.output), summary: bytes(VALUES.summary) },
};
const derivedFacts = (attributes: JsonValue, summary: JsonValue): DerivedFacts => ({
  ...derivedOfAttributes(attributes),
  errorClass: errorClassOf(EXCEPTION),
  models: tokensOfSummary(summary),
});
const rowOf = (row: string) => JSON.parse(withValues(row, DRAFTS, new Map())) as Record<string, unknown>;

describe('the row of a whole call', () => {
  it('has the facts of its writer, and previews of its values', () => {
    const row = rowOf(toOpenRow({ ...FACTS, derived: derivedFacts(VALUES.attributes, VALUES.summary) }));
    expect(row).toMatchObject({
      ...{ ds: true, dd: true, ip: 'Where is "it"?', ov: 'Here.', eu: 'ada', pr: 'greet@v2', ck: 'c', ft: 12 },
      ec: 'TimeoutError',
      ...{ mo: 'm', rq: 1, pt: 3, ct: 2, tt: 5, ca: 1 },
    });
  });

  it('has the same where an earlier version wrote it without facts', () => {
    const written = toOpenRow({ ...FACTS, derived: derivedFacts(VALUES.attributes, VALUES.summary) });
    const earlier = written.slice(0, written.indexOf(',"ds":'));
    expect(rowOf(earlier)).toEqual(rowOf(written));
  });

  it('takes no text for its facts', () => {
    const earlier = toOpenRow({ ...FACTS, threadId: ',"ds":true,"dd":true' });
    const row = rowOf(earlier.slice(0, earlier.lastIndexOf(',"ds":')));
    expect(row).toMatchObject({ th: ',"ds":true,"dd":true', mo: 'm' });
  });
});
