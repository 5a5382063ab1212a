import type { CallDto } from '@hone/client';

import { rootsOf, toTurns } from './turns.js';

const chat = (id: string, said: readonly string[], answer: string) =>
  ({
    id,
    inputs: { messages: said.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content })) },
    output: { choices: [{ message: { role: 'assistant', content: answer } }] },
  }) as unknown as CallDto;

const textsOf = (calls: readonly CallDto[]) => toTurns(calls).map((turn) => turn.chat?.map(({ text }) => text));

describe('the turns of a conversation', () => {
  it('leave out what the turn before has said already', () => {
    expect(textsOf([chat('1', ['a'], 'b'), chat('2', ['a', 'b', 'c'], 'd')])).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('show all of a chat that goes on otherwise', () => {
    expect(textsOf([chat('1', ['a'], 'b'), chat('2', ['a', 'B', 'c'], 'd'), chat('3', ['x'], 'y')])).toEqual([
      ['a', 'b'],
      ['a', 'B', 'c', 'd'],
      ['x', 'y'],
    ]);
  });

  it('have values where a call is no chat, and what comes after is still told apart', () => {
    const other = { id: '2', inputs: { q: 1 }, output: 2 } as unknown as CallDto;
    expect(textsOf([chat('1', ['a'], 'b'), other, chat('3', ['a', 'b', 'c'], 'd')])).toEqual([
      ...[['a', 'b'], undefined, ['c', 'd']],
    ]);
  });

  it('are calls that no other call of the conversation made', () => {
    const calls = [{ id: '1' }, { id: '2', parent_id: '1' }, { id: '3', parent_id: 'of another one' }] as CallDto[];
    expect(rootsOf(calls).map(({ id }) => id)).toEqual(['1', '3']);
  });
});
