import { parseJson } from '@hone/client';

import type { SentMessage } from '../chat/chat.js';
import { moved, toComparedText, toDraft, toMessage } from './draft.js';

const CALLED = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };

describe('a message that is edited', () => {
  it.each<[string, SentMessage]>([
    ['a text', { role: 'user', content: 'hi' }],
    ['parts', { role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    ['tool calls', { role: 'assistant', content: null, tool_calls: [CALLED] }],
    ['nothing at all', { role: 'assistant', tool_calls: [CALLED] }],
    ['an empty text', { role: 'assistant', content: '', tool_calls: [CALLED] }],
    ['the result of a tool', { role: 'tool', content: '2', tool_call_id: 'c1' }],
    ['a name', { role: 'system', content: '', name: 'x' }],
  ])('stays as it is without a change: %s', (_, message) => {
    expect(toMessage(toDraft(message), 0)).toEqual(message);
  });

  it('keeps each digit of numbers', () => {
    const message = parseJson('{"role":"user","content":[{"n":1.50}],"seed":9007199254740993}') as SentMessage;
    const draft = toDraft(message);
    expect(draft.content).toContain('1.50');
    expect(draft.others).toContain('9007199254740993');
  });

  it('says which one cannot be read', () => {
    const draft = { ...toDraft({ role: 'user', content: 'hi' }), others: '[' };
    expect(() => toMessage(draft, 2)).toThrow('The other members of message 3 are no JSON');
    expect(() => toMessage({ ...draft, others: '[]' }, 0)).toThrow('are no JSON object');
    expect(() => toMessage({ ...draft, others: '', isJson: true, content: '{' }, 0)).toThrow('content of message 1');
  });

  it('is moved among the others', () => {
    expect([moved(['a', 'b', 'c'], 0, 2), moved(['a', 'b', 'c'], 2, 1)]).toEqual([
      ['b', 'c', 'a'],
      ['a', 'c', 'b'],
    ]);
  });

  it('is compared with its role and all of its members', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text' }], name: 'n' },
    ];
    expect(toComparedText(messages)).toBe(
      '[system]\nBe brief.\n\n[user]\n[\n  {\n    "type": "text"\n  }\n]\n{\n  "name": "n"\n}',
    );
  });
});
