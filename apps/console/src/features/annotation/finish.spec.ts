import { type Judgement, toFeedback } from './finish.js';

const ITEM = { queue_id: 'q', call_id: 'c' };
const RUBRIC = [
  { name: 'quality', ref: 'hone:///a/b/object/quality:1' },
  { name: 'safe', ref: 'hone:///a/b/object/safe:1' },
];
const judgement = (quality: number, note = ''): Judgement => ({
  ...{ answers: new Map<string, unknown>(Object.entries({ quality, safe: true })), note },
});
const typesOf = (now: Judgement, before?: Judgement) =>
  toFeedback('a/b', ITEM, RUBRIC, now, before).map(({ feedback_type, payload }) => [feedback_type, payload]);

describe('what is stored of an item', () => {
  it('is every answer, and the note if there is one', () => {
    expect(typesOf(judgement(4, ' good '))).toEqual([
      ['hone.annotation.quality', { value: 4 }],
      ['hone.annotation.safe', { value: true }],
      ['hone.note.1', { note: 'good' }],
    ]);
    expect(typesOf(judgement(4, '  '))).toHaveLength(2);
  });

  it('is, once it is judged again, what has changed', () => {
    expect(typesOf(judgement(5, 'good'), judgement(4, 'good'))).toEqual([['hone.annotation.quality', { value: 5 }]]);
    expect(typesOf(judgement(4, 'better'), judgement(4, 'good'))).toEqual([['hone.note.1', { note: 'better' }]]);
    expect(typesOf(judgement(4), judgement(4))).toEqual([]);
  });
});
