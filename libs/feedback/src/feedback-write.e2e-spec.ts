import { MAX_INLINE_BYTES, ValueRepository } from '@hone/calls';
import { FeedbackCreateDto } from '@hone/contracts';
import { newId } from '@hone/database';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

import type { FeedbackDraft } from './feedback.record.js';
import { FeedbackWriteRepository } from './feedback-write.repository.js';
import { toSentFeedback } from './sent-feedback.mapper.js';

const PROJECT = newId();

function draft(id: string, body: Partial<FeedbackCreateDto> = {}): FeedbackDraft {
  const sent = toSentFeedback(
    Object.assign(new FeedbackCreateDto(), {
      ...{ project_id: 'acme/demo', feedback_type: 'note', payload: { text: id } },
      ...{ trace_ref: 'hone:///acme/demo/call/c1', ...body },
    }),
  );
  const where = { projectRowId: PROJECT, projectId: 'acme/demo', svcUserId: PROJECT };
  return { ...where, id, hasClientId: true, createdAt: new Date(), sent };
}

describe('feedback that is written', () => {
  let test: TestDatabase;
  let feedback: FeedbackWriteRepository;
  beforeAll(async () => {
    test = await createTestDatabase();
    feedback = new FeedbackWriteRepository(test.db, new ValueRepository(test.db));
  });
  beforeEach(() => test.sql('TRUNCATE feedback, blob_chunks'));
  afterAll(() => test.drop());

  const stored = (columns: string) => test.sql(`SELECT ${columns} FROM feedback ORDER BY id`);

  it('has the columns that its body fills, refs without their scheme, and the exact payload', async () => {
    const ratings = { scorer_ratings: { helpful: 0.75 }, scorer_tags: ['polite'] };
    const payload = { output: 1.5, big: 2 };
    await feedback.insert([
      draft('a', {
        feedback_type: 'hone.runnable.judge',
        runnable_ref: 'hone:///acme/demo/object/judge:x',
        payload,
        ...ratings,
      }),
    ]);
    expect(
      await stored('trace_ref, runnable_ref, feedback_type, scorer_ratings, scorer_tags, payload_text, payload_json'),
    ).toEqual([
      {
        ...{ trace_ref: 'acme/demo/call/c1', runnable_ref: 'acme/demo/object/judge:x', ...ratings },
        ...{ feedback_type: 'hone.runnable.judge', payload_text: JSON.stringify(payload), payload_json: payload },
      },
    ]);
  });

  it('is counted; an id that is taken keeps what it has, and of two drafts with one id the first counts', async () => {
    expect(await feedback.insert([draft('b'), draft('a'), draft('b', { payload: { text: 'second' } })])).toBe(2);
    expect(await feedback.insert([draft('a', { payload: { text: 'late' } }), draft('c')])).toBe(1);
    expect(await stored('id, payload_json')).toEqual(['a', 'b', 'c'].map((id) => ({ id, payload_json: { text: id } })));
  });

  it('keeps large payloads in chunks, with all others or not at all', async () => {
    const large = { text: 'x'.repeat(MAX_INLINE_BYTES + 1) };
    expect(await feedback.insert([draft('a'), draft('b', { payload: large })])).toBe(2);
    expect(await stored('id, payload_text IS NULL AS is_large, payload_blob IS NOT NULL AS has_chunks')).toEqual([
      { id: 'a', is_large: false, has_chunks: false },
      { id: 'b', is_large: true, has_chunks: true },
    ]);
    const broken = { ...draft('d'), svcUserId: 'nobody' };
    await expect(feedback.insert([draft('c', { payload: large }), broken])).rejects.toThrow();
    expect(await stored('id')).toEqual([{ id: 'a' }, { id: 'b' }]);
  });
});
