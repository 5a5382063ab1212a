import type { FeedbackRecordDto } from '@hone/client';

import { printJudgements, toJudgements } from './judgements.js';

const record = (call: string, feedback_type: string, more: object = {}) =>
  ({ trace_ref: `hone:///a/b/call/${call}`, feedback_type, ...more }) as unknown as FeedbackRecordDto;

function print(...records: FeedbackRecordDto[]): string {
  const found = toJudgements(records).get('c');
  return found ? printJudgements(found) : '';
}

describe('the feedback of a row', () => {
  it('says in words what a check found', () => {
    const found = (passed: number) => record('c', 'hone.runnable.check', { scorer_ratings: { passed } });
    expect(print(found(0))).toBe('failed');
    expect(print(found(1))).toBe('passed');
    expect(print(found(1), found(0))).toBe('passed 1 of 2');
    expect(print(found(0.5))).toBe('passed 0.5');
  });

  it('is what was said of its call', () => {
    expect(
      print(
        record('c', 'hone.reaction.1', { 'payload.emoji': '👍' }),
        record('c', 'hone.reaction.1', { 'payload.emoji': '👍' }),
        record('c', 'hone.reaction.1', { 'payload.emoji': '👎' }),
        record('other', 'hone.reaction.1', { 'payload.emoji': '👎' }),
        record('c', 'quality', { scorer_ratings: { quality: 1 } }),
        record('c', 'quality', { scorer_ratings: { quality: 0.5 } }),
        record('c', 'hone.note.1'),
      ),
    ).toBe('👍 2 👎 · quality 0.75 · 1 note');
  });

  it('is nothing of what says nothing', () => {
    expect(print()).toBe('');
    expect(print({ trace_ref: 'x' } as FeedbackRecordDto)).toBe('');
    expect(print(record('c', 'hone.reaction.1', { 'payload.emoji': { a: 1 } }))).toBe('');
    expect(print(record('c', 'x', { scorer_ratings: { a: 'high' } }))).toBe('');
  });
});
