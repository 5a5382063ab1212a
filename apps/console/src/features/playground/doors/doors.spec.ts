import type { AnswerEvent } from '@hone/client';

import { NOT_ANSWERED } from './door.js';
import { doorOf, DOORS } from './doors.js';
import { withMessageEvent } from './messages-door.js';
import { withResponseEvent } from './responses-door.js';

const user = (content: unknown) => ({ role: 'user', content });
const system = { role: 'system', content: 'Be kind.' };
const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": 1}' } };
const tool = { type: 'function', function: { name: 'add', description: 'Adds.', parameters: { type: 'object' } } };
const format = {
  type: 'json_schema',
  json_schema: { name: 'answer', schema: { enum: ['cat'] } },
};
const body = (door: string, messages: readonly object[], parameters: Record<string, unknown> = {}) =>
  doorOf(door).toBody({ model: 'm', messages: messages as never, parameters });

describe('the doors', () => {
  it('are found by their names, and chat completions by any other', () => {
    expect(DOORS.map(({ name }) => doorOf(name).label)).toEqual(['Chat completions', 'Responses', 'Messages']);
    expect(doorOf('constructor').path).toBe('/v1/chat/completions');
  });

  it('take no other model or messages from the parameters', () => {
    for (const { name } of DOORS) {
      const { fields } = body(name, [user('x')], { model: 'other', messages: [], input: [] });
      expect(fields['model']).toBe('m');
      expect(fields[name === 'responses' ? 'input' : 'messages']).toEqual(name === 'responses' ? 'x' : [user('x')]);
    }
  });

  it('leave a chat completion as it is', () => {
    const parameters = { temperature: 0, tools: [tool], response_format: format, n: 2 };
    expect(body('', [system, user('x')], parameters)).toEqual({
      fields: { model: 'm', messages: [system, user('x')], ...parameters },
      leftOut: [],
    });
  });
});

describe('a body of responses', () => {
  it('has a question as its input, and a system prompt as its instructions', () => {
    expect(body('responses', [system, user('x')]).fields).toEqual({ model: 'm', instructions: 'Be kind.', input: 'x' });
    expect(body('responses', [user('x')]).fields).toEqual({ model: 'm', input: 'x' });
  });

  it('has messages, calls and their results as items', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } };
    const { fields } = body('responses', [
      user([{ type: 'text', text: 'a' }, image, { type: 'input_audio', input_audio: {} }]),
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '2' },
    ]);
    expect(fields['input']).toEqual([
      user([
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' },
        { type: 'input_audio', input_audio: {} },
      ]),
      { role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a": 1}' },
      { type: 'function_call_output', call_id: 'c1', output: '2' },
    ]);
  });

  it('has parameters by the names that they have there, and the others as they are', () => {
    const { fields, leftOut } = body('responses', [user('x')], {
      ...{ max_tokens: 9, temperature: 0, top_k: 3, stop: null, logprobs: true, top_logprobs: 5, n: 2 },
      ...{ reasoning_effort: 'low', reasoning: { summary: 'auto' }, verbosity: 'low', response_format: format },
      ...{ tools: [tool, { type: 'web_search' }], tool_choice: { type: 'function', function: { name: 'add' } } },
    });
    expect(fields).toEqual({
      ...{ model: 'm', input: 'x', max_output_tokens: 9, temperature: 0, top_k: 3, top_logprobs: 5 },
      include: ['message.output_text.logprobs'],
      reasoning: { summary: 'auto', effort: 'low' },
      text: { format: { type: 'json_schema', name: 'answer', schema: { enum: ['cat'] } }, verbosity: 'low' },
      tools: [
        { type: 'function', name: 'add', description: 'Adds.', parameters: { type: 'object' } },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'function', name: 'add' },
    });
    expect(leftOut).toEqual(['n: a response is one answer.']);
  });
});

describe('a body of messages', () => {
  it('has the system prompt beside the messages, and a limit', () => {
    expect(body('messages', [system, user('x')]).fields).toEqual({
      ...{ model: 'm', max_tokens: 1_024, system: 'Be kind.' },
      messages: [user('x')],
    });
    const { fields, leftOut } = body('messages', [user('x'), system, system], { max_completion_tokens: 5 });
    expect(fields).toMatchObject({ max_tokens: 5, system: [1, 2].map(() => ({ type: 'text', text: 'Be kind.' })) });
    expect(leftOut).toEqual(['The place of system messages amid the others: they stand before all of them.']);
  });

  it('has calls and their results as blocks, and images', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } });
    const { fields } = body('messages', [
      user([{ type: 'text', text: 'a' }, image('data:image/png;base64,AA=='), image('https://x/y.png')]),
      { role: 'assistant', content: 'b', tool_calls: [call, { function: { name: 'x', arguments: '{' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '2' },
    ]);
    expect(fields['messages']).toEqual([
      user([
        { type: 'text', text: 'a' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
      ]),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'b' },
          { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
          { type: 'tool_use', id: undefined, name: 'x', input: { unparsed: '{' } },
        ],
      },
      user([{ type: 'tool_result', tool_use_id: 'c1', content: '2' }]),
    ]);
  });

  it('has parameters by the names that they have there, and says which have none', () => {
    const { fields, leftOut } = body('messages', [user('x')], {
      ...{ max_tokens: 9, temperature: 0, seed: 1, stop: 'x', user: 'ada', n: 1, logprobs: true, top_logprobs: 5 },
      ...{ response_format: format, reasoning_effort: 'low', tools: [tool], metadata: { a: 'b' } },
      ...{ tool_choice: 'required', parallel_tool_calls: false },
    });
    expect(fields).toEqual({
      ...{ model: 'm', max_tokens: 9, messages: [user('x')], temperature: 0, seed: 1, stop_sequences: ['x'] },
      metadata: { a: 'b', user_id: 'ada' },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: { enum: ['cat'] } } },
      tools: [{ name: 'add', description: 'Adds.', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    expect(leftOut).toEqual(['logprobs: messages have no probabilities.']);
  });

  it.each([
    [{ tool_choice: 'auto' }, { type: 'auto' }],
    [{ tool_choice: 'none' }, { type: 'none' }],
    [{ tool_choice: { type: 'function', function: { name: 'add' } } }, { type: 'tool', name: 'add' }],
    [{ tool_choice: { type: 'any' } }, { type: 'any' }],
    [{ parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [{ parallel_tool_calls: true }, undefined],
  ])('has a choice of tools: %j', (parameters, choice) => {
    expect(body('messages', [user('x')], parameters).fields['tool_choice']).toEqual(choice);
  });
});

describe('an answer', () => {
  it('is read from the events of a response, whose calls may grow side by side', () => {
    const added = (at: number, item: object) => ({ type: 'response.output_item.added', output_index: at, item });
    const args = (at: number, delta: string) => ({
      type: 'response.function_call_arguments.delta',
      output_index: at,
      delta,
    });
    const events: AnswerEvent[] = [
      { type: 'response.created', response: { id: 'resp_a1' } },
      { type: 'response.reasoning_text.delta', delta: 'hm' },
      { type: 'response.reasoning_summary_text.delta', delta: 'm' },
      added(1, { type: 'message' }),
      { type: 'response.output_text.delta', delta: 'a', logprobs: [{ token: 'a', logprob: -1, top_logprobs: [] }] },
      { type: 'response.refusal.delta', delta: 'b' },
      added(2, { type: 'function_call', name: 'add', call_id: 'c1' }),
      added(3, { type: 'function_call', name: 'sub' }),
      ...[args(3, '{'), args(2, '{"a"'), args(3, '}'), args(2, ':1}'), args(9, 'x')],
      { type: 'response.later', delta: 'x' },
    ];
    const { turn, completionId } = events.reduce(withResponseEvent, { ...NOT_ANSWERED, calls: [] });
    expect(completionId).toBe('chatcmpl-a1');
    expect(turn).toEqual({
      ...{ role: 'assistant', text: 'ab', reasoning: 'hmm', tools: ['add {"a":1}', 'sub {}'] },
      calls: [
        { id: 'c1', name: 'add', arguments: '{"a":1}' },
        { id: '', name: 'sub', arguments: '{}' },
      ],
      tokens: [{ text: 'a', logprob: -1, alternatives: [] }],
    });
  });

  it('is read from the events of a message', () => {
    const delta = (said: object) => ({ type: 'content_block_delta', index: 0, delta: said });
    const events: AnswerEvent[] = [
      { type: 'message_start', message: { id: 'msg_a1' } },
      { type: 'ping' },
      delta({ type: 'input_json_delta', partial_json: 'lost' }),
      delta({ type: 'thinking_delta', thinking: 'hm' }),
      delta({ type: 'signature_delta', signature: 'x' }),
      delta({ type: 'text_delta', text: 'a' }),
      delta({ type: 'text_delta', text: 'b' }),
      { type: 'content_block_start', content_block: { type: 'tool_use', id: 'c1', name: 'add' } },
      delta({ type: 'input_json_delta', partial_json: '{"a"' }),
      delta({ type: 'input_json_delta', partial_json: ':1}' }),
      { type: 'message_stop' },
    ];
    const { turn, completionId } = events.reduce(withMessageEvent, NOT_ANSWERED);
    expect(completionId).toBe('chatcmpl-a1');
    expect(turn).toEqual({
      ...{ role: 'assistant', text: 'ab', reasoning: 'hm', tools: ['add {"a":1}'], tokens: [] },
      calls: [{ id: 'c1', name: 'add', arguments: '{"a":1}' }],
    });
  });
});
