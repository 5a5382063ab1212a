import { toChat } from './chat.js';

describe('the conversation of a call', () => {
  it('has the messages of the request, then those of the answer', () => {
    const inputs = { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }] };
    const called = { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const output = { choices: [{ message: { role: 'assistant', content: null, tool_calls: [called] } }] };
    expect(toChat(inputs, output)).toEqual([
      { role: 'user', text: 'a\n[image_url]', tools: [] },
      { role: 'assistant', text: '', tools: ['add({"a":1})'] },
    ]);
  });

  it.each([[null], ['text'], [{}], [{ messages: 'x' }], [{ messages: [] }], [{ messages: [null] }]])(
    'is none in %j',
    (inputs) => {
      expect(toChat(inputs, { choices: 3 })).toBeNull();
    },
  );

  it('survives messages of any form', () => {
    const messages = [{ role: 3, content: { a: 1 }, tool_calls: [null, { function: null }] }];
    expect(toChat({ messages }, { choices: [null, { message: null }] })).toEqual([
      { role: 'unknown', text: '', tools: ['undefined(undefined)'] },
    ]);
  });
});
