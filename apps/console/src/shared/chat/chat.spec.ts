import { toChat } from './chat.js';

describe('the conversation of a call', () => {
  it('has the messages of the request, then those of the answer', () => {
    const inputs = { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }] };
    const called = { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const custom = { id: 'd', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } };
    const output = { choices: [{ message: { role: 'assistant', content: null, tool_calls: [called, custom] } }] };
    expect(toChat(inputs, output)).toEqual([
      { role: 'user', text: 'a\n[image_url]', tools: [] },
      { role: 'assistant', text: '', tools: ['add({"a":1})', 'sql(SELECT 1)'] },
    ]);
  });

  it('has what a model thought apart from what it said', () => {
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', reasoning_content: 'hm', content: 'a' },
    ];
    const output = { choices: [{ message: { role: 'assistant', reasoning: 'so', content: 'b' } }] };
    expect(toChat({ messages }, output)).toMatchObject([
      { text: 'q' },
      { reasoning: 'hm', text: 'a' },
      { reasoning: 'so', text: 'b' },
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

  it('has the images and sounds of its messages apart from their words', () => {
    const content = [
      { type: 'text', text: 'what is it?' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'input_image', image_url: 'data:image/png;base64,AA' },
      { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'BB' } },
      { type: 'input_audio', input_audio: { format: 'wav', data: 'CC' } },
      { type: 'image_url', image_url: { url: 7 } },
    ];
    const answer = { role: 'assistant', content: null, audio: { data: 'DD', transcript: 'a cat' } };
    expect(toChat({ messages: [{ role: 'user', content }] }, { choices: [{ message: answer }] })).toEqual([
      {
        ...{ role: 'user', text: 'what is it?\n[image_url]', tools: [] },
        media: [
          { kind: 'image', address: 'https://example.com/a.png' },
          { kind: 'image', address: 'data:image/png;base64,AA' },
          { kind: 'image', address: 'data:image/gif;base64,BB' },
          { kind: 'audio', address: 'data:audio/wav;base64,CC' },
        ],
      },
      { role: 'assistant', text: '', tools: [], media: [{ kind: 'audio', address: 'data:audio/wav;base64,DD' }] },
    ]);
  });
});
