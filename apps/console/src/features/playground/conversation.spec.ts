import type { ChatCompletionChunk } from '@hone/client';

import { resultTurns, toMessages, type Turn, userTurn, withChunk } from './conversation.js';

const EMPTY: Turn = { role: 'assistant', text: '', tools: [], tokens: [] };
const chunk = (choice: object): ChatCompletionChunk =>
  ({ choices: [{ index: 0, ...choice }] }) as unknown as ChatCompletionChunk;
const all = (...choices: object[]) => choices.map(chunk).reduce(withChunk, EMPTY);

describe('an answer that is written', () => {
  it('grows by what each chunk has', () => {
    expect(all({ delta: { role: 'assistant' } }, { delta: { content: 'a' } }, { delta: { content: 'b' } }).text).toBe(
      'ab',
    );
  });

  it('joins the pieces of tool calls by their place', () => {
    const piece = (index: number, called: object) => ({ delta: { tool_calls: [{ index, function: called }] } });
    expect(
      all(piece(0, { name: 'add', arguments: '' }), piece(0, { arguments: '{"a":' }), piece(0, { arguments: '1}' }))
        .tools,
    ).toEqual(['add {"a":1}']);
  });

  it('has the tokens that come with log-probabilities', () => {
    const content = [{ token: 'a', logprob: -1, top_logprobs: [] }];
    expect(all({ delta: { content: 'a' }, logprobs: { content } }).tokens).toEqual([
      { text: 'a', logprob: -1, alternatives: [] },
    ]);
  });

  it('does not mix with other answers to the same question', () => {
    expect(
      all({ delta: { content: 'a' } }, { index: 1, delta: { content: 'x' } }, { delta: { content: 'b' } }).text,
    ).toBe('ab');
  });

  it('stays as it is by a chunk without choices', () => {
    expect(withChunk(EMPTY, { choices: [] } as unknown as ChatCompletionChunk)).toEqual(EMPTY);
  });

  it('is sent with the tools that it calls, and their results after it', () => {
    const piece = (index: number, id: string, called: object) => ({
      delta: { tool_calls: [{ index, id, function: called }] },
    });
    const answer = all(
      piece(0, 'c1', { name: 'add', arguments: '{"a"' }),
      piece(1, '', { name: 'stop', arguments: '' }),
      piece(0, '', { arguments: ':1}' }),
    );
    const results = resultTurns(answer.calls ?? [], ['2']);
    expect(toMessages('', [userTurn('hi'), answer, ...results])).toEqual([
      { role: 'user', content: 'hi' },
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
          { id: 'call_1', type: 'function', function: { name: 'stop', arguments: '' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '2' },
      { role: 'tool', tool_call_id: 'call_1', content: '' },
    ]);
  });
});
