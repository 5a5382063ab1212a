import { toInputMessages } from './input-messages.js';

const parsed = (messages: unknown): unknown => JSON.parse(toInputMessages(messages));

describe('toInputMessages', () => {
  it('has texts, calls and their results', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one and' },
          { type: 'text', text: 'one?' },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '2' },
      { role: 'assistant', content: 'two' },
    ];
    expect(parsed(messages)).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'one and' },
          { type: 'text', content: 'one?' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_1', name: 'add', arguments: '{"a":1}' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: '2' }] },
      { role: 'assistant', parts: [{ type: 'text', content: 'two' }] },
    ]);
  });

  it('has only the type of images', () => {
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
    expect(parsed([{ role: 'user', content }])).toEqual([{ role: 'user', parts: [{ type: 'image_url' }] }]);
  });
});
