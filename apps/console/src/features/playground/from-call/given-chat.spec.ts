import { parseJson } from '@hone/client';

import { askedWith } from './asked-with.fixture.js';
import { toGivenChat } from './given-chat.js';

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
const CALLED = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'What is it?' }, IMAGE] },
  { role: 'assistant', content: null, tool_calls: [CALLED] },
  { role: 'tool', tool_call_id: 'c1', content: '2' },
  { role: 'user', content: 'And now?' },
];
const TOOLS = [{ type: 'function', function: { name: 'add', parameters: {}, strict: true } }];

/** What the playground would send without a change of its fields. */
function sent(inputs: object): object {
  const { model, messages, parameters } = askedWith(toGivenChat(parseJson(JSON.stringify(inputs))));
  return { ...(model !== '' && { model }), messages, ...parameters };
}

describe('a call that is taken over into the playground', () => {
  it.each([
    ['messages of every kind', { messages: MESSAGES }],
    ['a conversation that ends with the result of a tool', { messages: MESSAGES.slice(0, 4) }],
    ['a question with an image', { messages: MESSAGES.slice(0, 2) }],
    ['a system prompt with a name', { messages: [{ role: 'system', name: 'x', content: 's' }, MESSAGES[4]] }],
    ['tools and the choice of one', { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'add' } } }],
    ['functions of the older notation', { functions: [{ name: 'add' }], function_call: 'auto' }],
    ['a schema', { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: {} } } }],
    ['a strict schema', { response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true } } }],
    ['another form of the answer', { response_format: { type: 'json_object' } }],
    ['numbers', { temperature: 0.5, top_p: 1, max_tokens: 9, seed: 7, presence_penalty: -1, frequency_penalty: 1 }],
    ['any other parameter', { stop: ['a'], user: 'u', made_up: { a: [1] }, max_tokens: 'x' }],
    ['probabilities as the playground shows them', { logprobs: true, top_logprobs: 5 }],
    ['other probabilities', { logprobs: true, top_logprobs: 2 }],
  ])('asks the same: %s', (_, part) => {
    const inputs = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...part };
    expect(sent(inputs)).toEqual(inputs);
  });

  it('keeps each digit of numbers', () => {
    const inputs = parseJson('{"temperature":0.50,"seed":9007199254740993,"top_k":1.0,"messages":[]}');
    const { fields } = toGivenChat(inputs);
    expect(fields).toMatchObject({ temperature: '0.50', seed: '9007199254740993' });
    expect(fields['parameters']).toContain('"top_k": 1.0');
  });

  it('shows the messages before the last question, with their images and tools', () => {
    const { fields, earlier } = toGivenChat({ messages: MESSAGES });
    expect(fields).toEqual({ system: 'Be brief.', message: 'And now?' });
    expect(earlier.map(({ role, text, tools, media }) => ({ role, text, tools, media: media?.length }))).toEqual([
      { role: 'user', text: 'What is it?', tools: [], media: 1 },
      { role: 'assistant', text: '', tools: ['add({"a":1})'], media: undefined },
      { role: 'tool', text: '2', tools: [], media: undefined },
    ]);
  });

  it('names what it leaves out', () => {
    const inputs = {
      ...{ messages: ['x', MESSAGES[4]], stream: false, n: 2, self: {}, stream_options: {} },
      stop: null,
    };
    expect(toGivenChat(inputs).leftOut.map((sentence) => sentence.split(':')[0])).toEqual([
      ...['messages', 'stream', 'n', 'self', 'stream_options'],
    ]);
    expect(toGivenChat(inputs).fields).toEqual({ message: 'And now?' });
  });

  it('leaves nothing out of what it would ask anyway', () => {
    expect(toGivenChat({ messages: [], stream: true, n: 1, seed: null })).toEqual({
      ...{ fields: {}, earlier: [], leftOut: [] },
    });
  });

  it.each([[null], ['text'], [[]], [{}], [{ messages: 'x', tools: 7 }]])(
    'survives inputs of any form: %j',
    (inputs) => {
      expect(toGivenChat(inputs).earlier).toEqual([]);
    },
  );
});
