import { toExchange } from './exchange.js';

const CALLED = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };

describe('what a model was sent and answered', () => {
  it('is read of chat completions as it is', () => {
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'tool', tool_call_id: 'c1', content: '2' },
    ];
    const message = { role: 'assistant', content: null, tool_calls: [CALLED] };
    expect(toExchange({ messages }, { choices: [{ message }] })).toEqual({
      ...{ form: 'chat', sent: messages, answers: [message] },
    });
  });

  it('is read of Messages: its system prompt, thinking, calls and results', () => {
    const messages = [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'I add.' },
          { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: '2' }] },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ];
    const output = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'It is 2.' }] };
    expect(toExchange({ system: 'Be brief.', messages }, output)).toMatchObject({
      form: 'messages',
      sent: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'q' },
        { role: 'assistant', reasoning: 'hm', content: [{ text: 'I add.' }], tool_calls: [CALLED] },
        { role: 'tool', tool_call_id: 'c1', content: [{ text: '2' }] },
        { role: 'user', content: [{ text: 'Go on.' }] },
      ],
      answers: [{ role: 'assistant', content: [{ text: 'It is 2.' }] }],
    });
  });

  it('is read of Responses: instructions, items of calls and results, and what was thought', () => {
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'q' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I add.' }] },
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: '2' },
    ];
    const output = [
      { type: 'web_search_call', id: 'w1', action: { query: 'x' } },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is 2.' }] },
    ];
    expect(toExchange({ model: 'm', instructions: 'Be brief.', input }, { output })).toMatchObject({
      form: 'responses',
      sent: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user' },
        { role: 'assistant', reasoning: 'hm', content: [{ text: 'I add.' }], tool_calls: [CALLED] },
        { role: 'tool', tool_call_id: 'c1', content: '2' },
      ],
      answers: [
        {
          content: [{ text: 'It is 2.' }],
          tool_calls: [{ id: 'w1', function: { name: 'web_search', arguments: '{"query":"x"}' } }],
        },
      ],
    });
    expect(toExchange({ input: 'q' }, { output: [] })?.sent).toEqual([{ role: 'user', content: 'q' }]);
  });

  it("is read of OpenTelemetry's parts", () => {
    const messages = [
      { role: 'user', parts: [{ type: 'text', content: 'q' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'add', arguments: { a: 1 } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { sum: 2 } }] },
    ];
    expect(toExchange({ messages }, null)?.sent).toMatchObject([
      { role: 'user', content: [{ text: 'q' }] },
      { role: 'assistant', tool_calls: [CALLED] },
      { role: 'tool', tool_call_id: 'c1', content: '{"sum":2}' },
    ]);
  });

  it.each([
    [{ model: 'm', input: 'embed me' }, { data: [] }],
    [{ input: ['embed', 'me'] }, null],
    [{ input: { a: 1 }, instructions: 'x' }, null],
    [[], {}],
    ['text', { output: [] }],
    [null, null],
  ])('is none of %j', (inputs, output) => {
    expect(toExchange(inputs, output)).toBeNull();
  });

  it.each([
    [{ messages: [{ content: [null, 3, { type: 'tool_use' }, { type: 'tool_result' }] }] }, { content: [7] }],
    [
      { input: [{}, { type: 'reasoning', summary: 3 }, { type: '_call' }] },
      { output: [null, { type: 'x_call_output' }] },
    ],
    [{ messages: [{ parts: [{ type: 'reasoning' }] }], system: [[]] }, { choices: [{ message: { content: [[]] } }] }],
  ])('survives any form: %j', (inputs, output) => {
    expect(toExchange(inputs, output)).not.toBeNull();
  });
});
