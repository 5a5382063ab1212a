import { type AnsweredCall, pairsOf, shuffled } from './answer-pairs.js';

const call = (id: string, asked: string, answer: string): AnsweredCall => ({
  id,
  inputs: { model: id, messages: [{ role: 'user', content: asked }] },
  output: { id, choices: [{ message: { role: 'assistant', content: answer } }] },
});
const ref = (id: string) => `hone:///acme/demo/call/${id}`;

describe('pairs of answers', () => {
  it('are of what was asked the same by whichever model', () => {
    const calls = [call('a', 'hot?', 'cold'), call('b', 'wet?', 'dry'), call('c', 'hot?', 'Cold.')];
    expect(pairsOf(calls, [])).toEqual([{ ids: ['a', 'c'] }]);
  });

  it('leave out equal answers, and those of which somebody has said which is better', () => {
    const calls = [
      call('a', 'hot?', 'cold'),
      call('b', 'hot?', 'cold'),
      call('c', 'hot?', 'ice'),
      call('d', 'hot?', 'x'),
    ];
    expect(pairsOf(calls, [])).toEqual([{ ids: ['b', 'c'] }, { ids: ['c', 'd'] }]);
    expect(pairsOf(calls, [{ chosen: ref('d'), rejected: ref('c') }])).toEqual([{ ids: ['b', 'c'] }]);
  });

  it('take calls that are no chats by all that went in', () => {
    const plain = (id: string, output: unknown) => ({ id, inputs: { x: 1 }, output });
    expect(pairsOf([plain('a', 1), plain('b', 2), plain('c', null)], [])).toEqual([
      { ids: ['a', 'b'] },
      { ids: ['b', 'c'] },
    ]);
    expect(pairsOf([{ id: 'a', inputs: null, output: null }], [])).toEqual([]);
  });

  it('are shown in either order', () => {
    expect(shuffled({ ids: ['a', 'b'] }, 0.2)).toEqual(['a', 'b']);
    expect(shuffled({ ids: ['a', 'b'] }, 0.7)).toEqual(['b', 'a']);
  });
});
