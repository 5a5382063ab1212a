import { toMessage } from './to-message.js';
import { foreignFields } from './unsupported-fields.js';

const hi = { role: 'user', content: 'hi' };
const text = (said: string) => ({ type: 'text', text: said });
const ask = (fields: object, model = 'claude-opus-5') => toMessage({ messages: [hi], ...fields }, model);

describe('toMessage', () => {
  it('asks for some tokens where the caller says no number', () => {
    expect(ask({})).toEqual({
      model: 'claude-opus-5',
      max_tokens: 8_192,
      messages: [{ role: 'user', content: [text('hi')] }],
    });
  });

  it('puts what the system says before all turns, and messages of one role into one turn', () => {
    const messages = [
      { role: 'system', content: 'a' },
      hi,
      { role: 'developer', content: [text('b')] },
      { role: 'user', content: [text('on'), text('')] },
      { role: 'assistant', content: '' },
    ];
    expect(ask({ messages })).toMatchObject({
      system: [text('a'), text('b')],
      messages: [{ role: 'user', content: [text('hi'), text('on')] }],
    });
  });

  it('makes ids of calls what they may be, in the call and in its result', () => {
    const call = { id: 'call:1.x', type: 'function', function: { name: 'f', arguments: '{"a":' } };
    const messages = [
      hi,
      { role: 'assistant', content: 'Wait.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call:1.x', content: [text('done')] },
      hi,
    ];
    expect(ask({ messages })['messages']).toEqual([
      { role: 'user', content: [text('hi')] },
      {
        role: 'assistant',
        content: [text('Wait.'), { type: 'tool_use', id: 'call_1_x', name: 'f', input: { unparsed: '{"a":' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1_x', content: [text('done')] }, text('hi')],
      },
    ]);
  });

  it('puts the parts of a streamed thought together, and leaves out what is not signed', () => {
    const details = [
      { type: 'reasoning.text', text: 'h', index: 0 },
      { type: 'reasoning.text', text: 'm', index: 0 },
      { type: 'reasoning.text', signature: 's', index: 0 },
      { type: 'reasoning.encrypted', data: 'd', index: 1 },
      { type: 'reasoning.text', text: 'unsigned', index: 2 },
    ];
    const messages = [hi, { role: 'assistant', content: 'a', reasoning_details: details }];
    expect(ask({ messages })).toMatchObject({
      messages: [
        {},
        {
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'redacted_thinking', data: 'd' },
            text('a'),
          ],
        },
      ],
    });
  });

  it('sends files as documents, and images by their address', () => {
    const content = [
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
      { type: 'file', file: { file_data: 'data:text/csv;base64,YSxi' } },
      { type: 'image_url', image_url: { url: 'https://example.net/a.png' } },
    ];
    expect(ask({ messages: [{ role: 'user', content }] })['messages']).toMatchObject([
      {
        content: [
          { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } },
          { type: 'document', source: { type: 'text', data: 'a,b' } },
          { type: 'image', source: { type: 'url', url: 'https://example.net/a.png' } },
        ],
      },
    ]);
  });

  const tool = (name: string) => ({ type: 'function', function: { name, description: 'd', strict: true } });
  const [a, b] = [tool('a'), tool('b')];
  const shown = (name: string) => ({
    ...{ name, description: 'd', strict: true },
    input_schema: { type: 'object', properties: {} },
  });

  it.each([
    ['auto', { tool_choice: { type: 'auto' } }],
    ['none', { tool_choice: { type: 'none' } }],
    ['required', { tool_choice: { type: 'any' } }],
    [{ type: 'function', function: { name: 'a' } }, { tool_choice: { type: 'tool', name: 'a' } }],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'b' } }] },
      },
      { tool_choice: { type: 'any' }, tools: [shown('b')] },
    ],
  ])('has the choice of tools %j', (choice, fields) => {
    expect(ask({ tools: [a, b], tool_choice: choice })).toMatchObject({ tools: [shown('a'), shown('b')], ...fields });
  });

  it('asks for one call at most where several are not wanted', () => {
    const serial = { type: 'auto', disable_parallel_tool_use: true };
    expect(ask({ tools: [a], parallel_tool_calls: false })).toMatchObject({ tool_choice: serial });
  });

  it.each([
    ['claude-opus-5', {}, { thinking: { type: 'adaptive' }, output_config: { effort: 'low' }, max_tokens: 8_192 }],
    ['claude-sonnet-4-5', {}, { thinking: { type: 'enabled', budget_tokens: 2_048 }, max_tokens: 10_240 }],
    ['claude-haiku-4-5-20251001', { max_tokens: 1_500 }, { thinking: { budget_tokens: 1_499 }, max_tokens: 1_500 }],
  ])('lets %s think', (model, fields, asked) => {
    expect(ask({ reasoning_effort: 'low', ...fields }, model)).toMatchObject(asked);
  });

  it.each([
    ['fewer tokens than thinking takes', { max_tokens: 1_000 }],
    [
      'calls whose thinking it does not see',
      { messages: [hi, { role: 'assistant', tool_calls: [{ id: 'x', function: {} }] }] },
    ],
  ])('does not let an older model think with %s', (_case, fields) => {
    expect(ask({ reasoning_effort: 'high', ...fields }, 'claude-sonnet-4-5')).not.toHaveProperty('thinking');
  });

  it('has a schema, a user and a tier', () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
    expect(ask({ response_format, user: 'u', service_tier: 'default', stop: ['a'], top_k: -1 })).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      metadata: { user_id: 'u' },
      service_tier: 'standard_only',
      stop_sequences: ['a'],
    });
  });
});

describe('foreignFields', () => {
  it.each([
    [{}, []],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }, ['messages']],
    [{ messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'x' } }] }] }, ['messages']],
    [{ modalities: ['text', 'audio'], audio: {} }, ['audio', 'modalities']],
    [{ web_search_options: {} }, ['web_search_options']],
  ])('are those that no message can carry: %j', (fields, foreign) => {
    expect(foreignFields({ messages: [hi], ...fields })).toEqual(foreign);
  });
});
