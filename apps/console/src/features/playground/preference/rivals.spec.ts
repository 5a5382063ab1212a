import { type Conversation, EMPTY, userTurn } from '../conversation.js';
import { rivalsOf } from './rivals.js';

const answered = (id: string, question = 'hi'): Conversation => ({
  ...EMPTY,
  turns: [userTurn(question), { role: 'assistant', text: id, tools: [], tokens: [] }],
  completionId: id,
  asked: { messages: [{ role: 'user', content: question }], parameters: {}, at: '' },
});

describe('answers that one is compared with', () => {
  it('are those of other models to the same messages', () => {
    const all = [answered('a'), answered('b'), answered('c', 'ho'), answered('d')];
    expect([0, 1, 2, 3].map((at) => rivalsOf(all, at))).toEqual([['b', 'd'], ['a', 'd'], [], ['a', 'b']]);
  });

  it('are none while one is written, nor of those that failed or are not there', () => {
    expect(rivalsOf([answered('a'), { ...answered('b'), isAnswering: true }], 0)).toEqual([]);
    const failed = { ...answered('b'), turns: [userTurn('hi')] };
    expect([rivalsOf([answered('a'), failed], 0), rivalsOf([answered('a'), failed], 1)]).toEqual([[], []]);
    expect(rivalsOf([answered('a')], 7)).toEqual([]);
  });
});
