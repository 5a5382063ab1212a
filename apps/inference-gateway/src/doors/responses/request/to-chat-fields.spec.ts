import type { ResponsesRequestDto } from '@hone/contracts';

import { InvalidRequestError } from '../../../shared/errors/gateway-error.js';
import { toChatFields } from './to-chat-fields.js';

type Asked = Partial<ResponsesRequestDto> & Record<string, unknown>;

const translated = (asked: Asked): Record<string, unknown> =>
  JSON.parse(JSON.stringify(toChatFields({ model: 'm', input: 'x', ...asked } as never))) as Record<string, unknown>;
const messagesOf = (input: unknown, instructions?: string) => translated({ input, instructions })['messages'];

function refusedField(asked: Asked): string | null {
  try {
    translated(asked);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return error.param;
  }
}

const user = { role: 'user', content: 'x' };
const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' };
const chatCall = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };

describe('the chat completion that a response is asked by', () => {
  it.each<[string, unknown, object[]]>([
    ['a text', 'x', [user]],
    ['a message', [{ role: 'user', content: 'x' }], [user]],
    ['a message of a part', [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] }], [user]],
    [
      'an image',
      [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'x' },
            { type: 'input_image', image_url: 'data:,', detail: 'low' },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image_url', image_url: { url: 'data:,', detail: 'low' } },
          ],
        },
      ],
    ],
    [
      'a file',
      [{ role: 'user', content: [{ type: 'input_file', file_data: 'data:,', filename: 'a' }] }],
      [{ role: 'user', content: [{ type: 'file', file: { file_data: 'data:,', filename: 'a' } }] }],
    ],
    [
      'calls beside a text, with their outputs',
      [
        { role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] },
        call,
        { ...call, call_id: 'c2' },
        { type: 'function_call_output', call_id: 'c1', output: 'one' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
      ],
      [
        { role: 'assistant', content: 'Wait.', tool_calls: [chatCall, { ...chatCall, id: 'c2' }] },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'tool', tool_call_id: 'c2', content: 'two' },
      ],
    ],
    [
      'a call after its turn is another message',
      [call, { type: 'function_call_output', call_id: 'c1', output: '' }, { ...call, call_id: 'c2' }],
      [
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c1', content: '' },
        { role: 'assistant', content: null, tool_calls: [{ ...chatCall, id: 'c2' }] },
      ],
    ],
    [
      'a call of a custom tool',
      [
        { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'SELECT 1' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: '1' },
      ],
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '1' },
      ],
    ],
    [
      'a call of a tool in a namespace, by both names',
      [{ ...call, namespace: 'crm' }],
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...chatCall, function: { name: 'crm__f', arguments: '{}' } }],
        },
      ],
    ],
    [
      'reasoning, which is left out',
      [{ type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' }, user],
      [user],
    ],
    [
      'a refusal',
      [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }],
      [{ role: 'assistant', content: null, refusal: 'No.' }],
    ],
  ])('has the messages of its input: %s', (_name, input, messages) => {
    expect(messagesOf(input)).toEqual(messages);
  });

  it('begins with the instructions', () => {
    expect(messagesOf('x', 'Be brief.')).toEqual([{ role: 'system', content: 'Be brief.' }, user]);
  });

  it.each<[Asked, Record<string, unknown>]>([
    [{ max_output_tokens: 5 }, { max_completion_tokens: 5 }],
    [{ reasoning: { effort: 'low', summary: 'auto' } }, { reasoning_effort: 'low' }],
    [{ text: { format: { type: 'text' }, verbosity: 'low' } }, { verbosity: 'low' }],
    [{ text: { format: { type: 'json_object' } } }, { response_format: { type: 'json_object' } }],
    [
      { text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } } },
      {
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      },
    ],
    [{ include: ['message.output_text.logprobs'] }, { logprobs: true }],
    [{ top_logprobs: 2 }, { logprobs: true, top_logprobs: 2 }],
    [{ stream: true }, { stream: true, stream_options: { include_usage: true } }],
    [{ store: true, background: false, truncation: 'disabled', max_tool_calls: 3, stream_options: {} }, {}],
    [
      { metadata: { a: 'b' }, user: 'u', seed: 1, temperature: 0.5 },
      { metadata: { a: 'b' }, user: 'u', seed: 1, temperature: 0.5 },
    ],
    [
      {
        tools: [{ type: 'function', name: 'f', parameters: {}, strict: null }],
        tool_choice: { type: 'function', name: 'f' },
      },
      {
        tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
        tool_choice: { type: 'function', function: { name: 'f' } },
      },
    ],
    [
      {
        tools: [{ type: 'custom', name: 'sql', format: { type: 'text' } }],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'custom', name: 'sql' }] },
      },
      {
        tools: [{ type: 'custom', custom: { name: 'sql', format: { type: 'text' } } }],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'sql' } }] },
        },
      },
    ],
    [
      {
        tools: [
          { type: 'function', name: 'f' },
          {
            type: 'namespace',
            name: 'crm',
            description: 'Customers.',
            tools: [
              { type: 'function', name: 'f', description: 'Finds one.', parameters: {}, strict: false },
              { type: 'custom', name: 'sql' },
            ],
          },
          { type: 'namespace', name: 'bare', tools: [{ type: 'function', name: 'f' }] },
        ],
      },
      {
        tools: [
          { type: 'function', function: { name: 'f' } },
          {
            type: 'function',
            function: { name: 'crm__f', description: 'Customers.\n\nFinds one.', parameters: {}, strict: false },
          },
          { type: 'custom', custom: { name: 'crm__sql', description: 'Customers.' } },
          { type: 'function', function: { name: 'bare__f' } },
        ],
      },
    ],
    [{ tools: [{ type: 'namespace', name: 'none', tools: [] }], tool_choice: 'auto' }, {}],
    [{ tools: [], tool_choice: 'auto' }, {}],
  ])('has the other fields under its own names: %j', (asked, fields) => {
    expect(translated(asked)).toEqual({ model: 'm', messages: [user], ...fields });
  });

  it.each<[Asked, string]>([
    [{ background: true }, 'background'],
    [{ conversation: { id: 'c' } }, 'conversation'],
    [{ n: 2 }, 'n'],
    [{ context_management: [] }, 'context_management'],
    [{ include: ['file_search_call.results'] }, 'include.0'],
    [{ tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] }, 'tools.1.type'],
    [{ tools: [{ type: 'namespace', tools: [] }] }, 'tools.0.name'],
    [{ tools: [{ type: 'namespace', name: 'n' }] }, 'tools.0.tools'],
    [{ tools: [{ type: 'namespace', name: 'n', description: {}, tools: [] }] }, 'tools.0.description'],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [1] }] }, 'tools.0.tools.0'],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }] }] }, 'tools.0.tools.0.name'],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'mcp', name: 'm' }] }] }, 'tools.0.tools.0.type'],
    [{ input: [{ ...call, namespace: 1 }] }, 'input.0.namespace'],
    [{ tools: [{ type: 'function', name: 'f' }], tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
    [{ input: [user, { type: 'computer_call' }] }, 'input.1.type'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }, 'input.0.content.0.file_id'],
    [{ input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'u' }] }] }, 'input.0.content.0.file_url'],
    [{ input: [{ role: 'user', content: [{ type: 'video' }] }] }, 'input.0.content.0.type'],
    [{ input: [{ role: 'user', content: 1 }] }, 'input.0.content'],
    [{ input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, 'input.0.call_id'],
    [{ input: [1] }, 'input.0'],
    [{ input: 1 }, 'input'],
  ])('is refused where it cannot carry what is asked: %j', (asked, field) => {
    expect(refusedField(asked)).toBe(field);
  });
});
