import { parseJson } from '@hone/client';

import { doorOf } from '../doors/doors.js';
import { askedWith } from './asked-with.fixture.js';
import { toGivenRequest, type WholeCall } from './given-request.js';

const IMAGE = 'data:image/png;base64,AA==';
const given = (inputs: object, others: Partial<WholeCall> = {}) =>
  toGivenRequest({
    ...{ output: null, attributes: {}, ...others },
    inputs: parseJson(JSON.stringify({ model: 'm', ...inputs })),
  });

/** The body that the playground sends without a change, through the API that it took over. */
function sent(inputs: object, output: unknown = null): object {
  const chat = given(inputs, { output });
  return doorOf(chat.fields['api'] ?? '').toBody(askedWith(chat)).fields;
}

describe('a call of Responses that is taken over into the playground', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' };
  const result = { type: 'function_call_output', call_id: 'c1', output: '2' };
  const question = { role: 'user', content: 'And now?' };

  it.each<[string, object]>([
    ['a question', { input: 'q' }],
    ['instructions', { input: 'q', instructions: 'Be brief.' }],
    ['calls and their results', { input: [{ role: 'user', content: 'q' }, call, result, question] }],
    ['a conversation that ends with a result', { input: [{ role: 'user', content: 'q' }, call, result] }],
    [
      'calls beside a text, and a custom tool',
      {
        input: [
          { role: 'assistant', content: 'I add.' },
          { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: 'SELECT 1' },
          call,
          { ...result, type: 'custom_tool_call_output', call_id: 'c2' },
          result,
        ],
        tools: [{ type: 'custom', name: 'sql', format: { type: 'text' } }],
      },
    ],
    [
      'images and files',
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'What is it?' },
              { type: 'input_image', image_url: IMAGE, detail: 'low' },
              { type: 'input_image', file_id: 'f1' },
              { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
            ],
          },
        ],
      },
    ],
    [
      'tools and the choice of one',
      {
        input: 'q',
        tools: [{ type: 'function', name: 'add', parameters: {}, strict: true }, { type: 'web_search' }],
        tool_choice: { type: 'function', name: 'add' },
      },
    ],
    [
      'a format',
      {
        input: 'q',
        text: { format: { type: 'json_schema', name: 'sum', schema: {}, strict: true }, verbosity: 'low' },
      },
    ],
    ['another format', { input: 'q', text: { format: { type: 'json_object' } } }],
    ['reasoning', { input: 'q', reasoning: { effort: 'low', summary: 'auto' } }],
    ['probabilities', { input: 'q', include: ['message.output_text.logprobs', 'x'], top_logprobs: 5 }],
    [
      'any other parameter',
      { input: 'q', temperature: 0.5, max_output_tokens: 9, previous_response_id: 'resp_1', store: false, user: 'u' },
    ],
  ])('asks the same: %s', (_, inputs) => {
    const bodyOf = ({ include, ...body }: Record<string, unknown>) => ({
      ...body,
      ...(include !== undefined && { include: new Set(include as string[]) }),
    });
    expect(bodyOf(sent(inputs, { output: [] }) as never)).toEqual(bodyOf({ model: 'm', ...inputs }));
  });

  it('has its system prompt, question, tools and schema in their fields', () => {
    const schema = { type: 'object' };
    const { fields, earlier, leftOut } = given({
      ...{ instructions: 'Be brief.', max_output_tokens: 9 },
      input: [
        { type: 'message', id: 'i1', status: 'completed', role: 'user', content: [{ type: 'input_text', text: 'q' }] },
      ],
      tools: [{ type: 'function', name: 'add' }],
      text: { format: { type: 'json_schema', name: 'answer', schema } },
    });
    expect(fields).toMatchObject({ api: 'responses', system: 'Be brief.', message: 'q', max_tokens: '9' });
    expect(JSON.parse(fields['tools'] ?? '')).toEqual([{ type: 'function', function: { name: 'add' } }]);
    expect(JSON.parse(fields['schema'] ?? '')).toEqual(schema);
    expect(earlier).toEqual([]);
    expect(leftOut).toEqual([]);
  });

  it('has calls of tools in namespaces by both names', () => {
    const { earlier } = given({ input: [{ ...call, namespace: 'crm' }, result] });
    expect(earlier[0]?.tools).toEqual(['crm__add({"a":1})']);
  });

  it('names the items that it leaves out', () => {
    const items = [
      { type: 'reasoning', summary: [] },
      { type: 'web_search_call' },
      { type: 'reasoning' },
      {},
      question,
    ];
    expect(given({ input: items, background: true }).leftOut).toEqual([
      'input: 2 items of type reasoning, which cannot be sent again.',
      'input: 1 item of type web_search_call, which cannot be sent again.',
      'input: 1 item of type message, which cannot be sent again.',
      'background: answers are always streamed here.',
    ]);
  });

  it('is asked through Responses as well where the gateway has kept it as a chat completion', () => {
    const inputs = { messages: [{ role: 'user', content: 'q' }], max_completion_tokens: 9 };
    const chat = given(inputs, { attributes: { door: { name: 'responses', instructions: true } } });
    expect(chat.fields['api']).toBe('responses');
    expect(doorOf('responses').toBody(askedWith(chat)).fields).toEqual({
      model: 'm',
      input: 'q',
      max_output_tokens: 9,
    });
    expect(given(inputs, { attributes: { door: 'x' } }).fields).not.toHaveProperty('api');
  });
});

describe('a call of Messages that is taken over into the playground', () => {
  const answer = { type: 'message', content: [] };
  const use = { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } };
  const question = { role: 'user', content: 'q' };

  it.each<[string, object]>([
    ['a question', { messages: [question] }],
    ['a system prompt', { system: 'Be brief.', messages: [question] }],
    ['a system prompt of blocks', { system: ['a', 'b'].map((text) => ({ type: 'text', text })), messages: [question] }],
    [
      'calls and their results',
      {
        messages: [
          question,
          { role: 'assistant', content: [{ type: 'text', text: 'I add.' }, use] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '2' }] },
        ],
      },
    ],
    [
      'images, and blocks of other kinds',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is it?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
              { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
              { type: 'image', source: { type: 'file', file_id: 'f1' } },
              { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
            ],
          },
        ],
      },
    ],
    [
      'tools and the choice of one',
      {
        messages: [question],
        tools: [
          { name: 'add', description: 'Adds.', input_schema: { type: 'object' }, strict: true },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
        tool_choice: { type: 'tool', name: 'add', disable_parallel_tool_use: true },
      },
    ],
    ['any tool', { messages: [question], tool_choice: { type: 'any' } }],
    [
      'a format',
      {
        messages: [question],
        output_config: { effort: 'low', format: { type: 'json_schema', schema: { enum: [1] } } },
      },
    ],
    [
      'any other parameter',
      {
        ...{ messages: [question], temperature: 0.5, top_k: 3, stop_sequences: ['x'] },
        ...{ thinking: { type: 'enabled', budget_tokens: 1024 }, metadata: { user_id: 'u' } },
      },
    ],
  ])('asks the same: %s', (_, inputs) => {
    expect(sent({ max_tokens: 64, ...inputs }, answer)).toEqual({ model: 'm', max_tokens: 64, ...inputs });
  });

  it('says of a result that the tool failed, and names what was thought', () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, use] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go on.' },
          { type: 'tool_result', tool_use_id: 'c1', content: 'no', is_error: true },
        ],
      },
    ];
    const { fields, earlier, leftOut } = given({ messages }, { output: answer });
    expect(earlier.map(({ role, text, tools }) => [role, text, ...tools])).toEqual([
      ['assistant', '', 'add({"a":1})'],
      ['tool', 'Error: no'],
    ]);
    expect(fields).toEqual({ api: 'messages', model: 'm', message: 'Go on.' });
    expect(leftOut).toEqual(['messages: 1 block of type thinking, which cannot be sent again.']);
  });

  it('keeps each digit of the arguments of a call', () => {
    const inputs = parseJson(
      '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"n","input":{"a":1.50}}]}]}',
    );
    expect(toGivenRequest({ inputs, output: answer, attributes: null }).earlier[0]?.tools).toEqual(['n({"a":1.50})']);
  });
});

it.each([
  [null],
  ['text'],
  [{ input: [{}, null, { type: 'function_call' }, { role: 3 }] }],
  [{ input: 'q', instructions: [3], tools: 7, text: 'x', reasoning: [], include: 'x', tool_choice: 3 }],
  [{ system: [[]], messages: [{ content: [null, { type: 'tool_result' }, { type: 'image' }] }], tools: [null] }],
  [{ system: 'x', messages: [{}], output_config: 3, metadata: 'x', stop_sequences: 3, tool_choice: 'x' }],
])('inputs of any form are survived: %j', (inputs) => {
  expect(() => askedWith(toGivenRequest({ inputs, output: null, attributes: 3 }))).not.toThrow();
});
