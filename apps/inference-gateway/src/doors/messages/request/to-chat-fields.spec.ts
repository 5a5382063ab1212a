import { InvalidRequestError } from '../../../shared/errors/gateway-error.js';
import { type AskedMessage, toChatFields } from './to-chat-fields.js';

const HELLO = { role: 'user', content: 'Hello.' };
const TOOL = { name: 'f', input_schema: { type: 'object' } };
const FUNCTION = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const IMAGE_PART = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

const asked = (fields: object) => ({ model: 'm', max_tokens: 9, messages: [HELLO], ...fields }) as AskedMessage;
/** Fields of the chat completion beside those that every one here has. */
function translated(fields: object): Record<string, unknown> {
  const { model: _model, max_completion_tokens: _max, ...others } = toChatFields(asked(fields)).fields;
  return Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
}
const messagesOf = (...messages: object[]) => translated({ messages }).messages;
/** The messages of one of the user with these blocks. */
const saidAs = (...content: object[]) => messagesOf({ role: 'user', content });

describe('a request for a message', () => {
  it('is a chat completion', () => {
    expect(toChatFields(asked({ temperature: 0 })).fields).toMatchObject({
      model: 'm',
      messages: [HELLO],
      max_completion_tokens: 9,
      temperature: 0,
    });
  });

  it.each<[object, object]>([
    [{ stop_sequences: ['END'] }, { stop: ['END'] }],
    [{ stop_sequences: [] }, {}],
    [
      { top_p: 0.5, top_k: 7 },
      { top_p: 0.5, top_k: 7 },
    ],
    [{ stream: true }, { stream: true, stream_options: { include_usage: true } }],
    [{ metadata: { user_id: 'ada' } }, { user: 'ada' }],
    [{ service_tier: 'auto' }, {}],
    [{ service_tier: 'standard_only' }, { service_tier: 'default' }],
    [{ speed: 'standard', cache_control: { type: 'ephemeral' }, diagnostics: {} }, {}],
    [{ context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }, {}],
    [{ seed: 3 }, { seed: 3 }],
    [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, { reasoning_effort: 'low' }],
    [{ thinking: { type: 'enabled', budget_tokens: 4_096 } }, { reasoning_effort: 'medium' }],
    [{ thinking: { type: 'enabled', budget_tokens: 32_000 } }, { reasoning_effort: 'high' }],
    [{ thinking: { type: 'adaptive' } }, {}],
    [{ thinking: { type: 'disabled' } }, {}],
    [{ output_config: { effort: 'max' } }, { reasoning_effort: 'xhigh' }],
    [
      { output_config: { effort: 'low' }, thinking: { type: 'enabled', budget_tokens: 32_000 } },
      { reasoning_effort: 'low' },
    ],
    [
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
        },
      },
    ],
    [{ tools: [] }, {}],
    [{ tools: [TOOL] }, { tools: [FUNCTION] }],
    [{ tools: [{ ...TOOL, type: 'custom', cache_control: {}, allowed_callers: ['direct'] }] }, { tools: [FUNCTION] }],
    [
      { tools: [TOOL], tool_choice: { type: 'any' } },
      { tools: [FUNCTION], tool_choice: 'required' },
    ],
    [
      { tools: [TOOL], tool_choice: { type: 'none' } },
      { tools: [FUNCTION], tool_choice: 'none' },
    ],
    [
      { tools: [TOOL], tool_choice: { type: 'tool', name: 'f' } },
      { tools: [FUNCTION], tool_choice: { type: 'function', function: { name: 'f' } } },
    ],
    [
      { tools: [TOOL], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      { tools: [FUNCTION], tool_choice: 'auto', parallel_tool_calls: false },
    ],
    [{ tool_choice: { type: 'auto' } }, {}],
    [{ system: 'Be brief.' }, { messages: [{ role: 'system', content: 'Be brief.' }, HELLO] }],
    [
      {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.', cache_control: {} },
        ],
      },
      {
        messages: [
          {
            role: 'system',
            content: [
              { type: 'text', text: 'Be brief.' },
              { type: 'text', text: 'Be kind.' },
            ],
          },
          HELLO,
        ],
      },
    ],
  ])('takes %j', (fields, expected) => {
    expect(translated(fields)).toEqual({ messages: [HELLO], ...expected });
  });

  it('takes images and files as parts', () => {
    expect(
      saidAs(
        { type: 'text', text: 'Compare.' },
        IMAGE,
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
        { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' } },
      ),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Compare.' },
          IMAGE_PART,
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
          { type: 'text', text: 'a.pdf\n\n' },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
        ],
      },
    ]);
  });

  it.each<[object, unknown]>([
    [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Once.' } }, 'Once.'],
    [
      { type: 'document', title: 'Tale', context: 'Old', source: { type: 'text', data: 'Once.' } },
      'Tale\n\nOld\n\nOnce.',
    ],
    [{ type: 'document', source: { type: 'content', content: 'Once.' } }, 'Once.'],
    [
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'See' }, IMAGE] } },
      [{ type: 'text', text: 'See' }, IMAGE_PART],
    ],
    [
      { type: 'search_result', title: 'Cats', source: 'https://x', content: [{ type: 'text', text: 'Furry.' }] },
      'Cats\n\nhttps://x\n\nFurry.',
    ],
  ])('takes %j as what it says', (block, content) => {
    expect(saidAs(block)).toEqual([{ role: 'user', content }]);
  });

  const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { x: id } });
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: `{"x":"${id}"}` } });
  const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: id, ...more });

  it('makes a message of each result, before what else the user says', () => {
    const content = [{ type: 'text', text: 'Go on.' }, result('a'), result('b')];
    expect(messagesOf(HELLO, { role: 'assistant', content: [use('a'), use('b')] }, { role: 'user', content })).toEqual([
      HELLO,
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'a' },
      { role: 'tool', tool_call_id: 'b', content: 'b' },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  it('takes messages of one role in a row as one turn', () => {
    const turns = [
      { role: 'assistant', content: [use('a')] },
      { role: 'assistant', content: [use('b')] },
    ];
    const results = [{ role: 'user', content: [result('a')] }, HELLO, { role: 'user', content: [result('b')] }, HELLO];
    const text = { type: 'text', text: 'Hello.' };
    expect(messagesOf(HELLO, ...turns, ...results)).toEqual([
      HELLO,
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'a' },
      { role: 'tool', tool_call_id: 'b', content: 'b' },
      { role: 'user', content: [text, text] },
    ]);
  });

  it.each<[object, unknown]>([
    [{ content: undefined }, ''],
    [{ content: 'No.', is_error: true }, 'Error: No.'],
    [{ content: [], is_error: true }, 'Error'],
    [{ content: [{ type: 'text', text: 'Yes.' }], is_error: false }, 'Yes.'],
  ])('takes a result with %j as a text', (more, content) => {
    expect(saidAs(result('a', more))).toEqual([{ role: 'tool', tool_call_id: 'a', content }]);
  });

  it('shows the image of a result to the user’s side, as a tool can only say texts', () => {
    expect(saidAs(result('a', { content: [{ type: 'text', text: 'Look.' }, IMAGE] }))).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Look.' },
      { role: 'user', content: [{ type: 'text', text: 'Attached to the result of a:' }, IMAGE_PART] },
    ]);
  });

  it('leaves out the reasoning of earlier turns', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'Yes' },
      { type: 'text', text: '.' },
    ];
    expect(messagesOf(HELLO, { role: 'assistant', content }, HELLO)).toEqual([
      HELLO,
      { role: 'assistant', content: 'Yes.' },
      HELLO,
    ]);
  });

  it('lets the answer continue what the assistant has begun', () => {
    expect(translated({ messages: [HELLO, { role: 'assistant', content: 'Hel' }] })).toMatchObject({
      continue_final_message: true,
      add_generation_prompt: false,
    });
  });

  it('keeps a system message where it stands', () => {
    const system = { role: 'system', content: 'Now be brief.' };
    expect(messagesOf(HELLO, system, HELLO)).toEqual([HELLO, system, HELLO]);
  });

  const of = (content: unknown, role = 'user') => ({ messages: [{ role, content }] });
  it.each<[string, object]>([
    ['messages', { messages: 'Hello.' }],
    ['messages', { messages: [] }],
    ['messages.0', { messages: ['Hello.'] }],
    ['messages.0.role', { messages: [{ role: 'tool', content: '' }] }],
    ['messages.0.content', of(3)],
    ['messages.0.content.0', of(['Hello.'])],
    ['messages.0.content.0.text', of([{ type: 'text' }])],
    ['messages.0.content.0.type', of([use('a')])],
    ['messages.0.content.0.type', of([{ type: 'server_tool_use' }], 'assistant')],
    ['messages.0.content.0.type', of([IMAGE], 'assistant')],
    ['messages.0.content.1', of([{ type: 'text', text: 'x' }, use('a')], 'assistant')],
    ['messages.0.content', of('', 'assistant')],
    ['messages.0.content', of([{ type: 'thinking', thinking: 'Hm.', signature: '' }], 'assistant')],
    ['messages.0.content.0.source.type', of([{ type: 'image', source: { type: 'file', file_id: 'f' } }])],
    ['messages.0.content.0.source.data', of([{ type: 'image', source: { type: 'base64', media_type: 'image/png' } }])],
    ['messages.0.content.0.source.type', of([{ type: 'document', source: { type: 'url', url: 'https://x' } }])],
    [
      'messages.0.content.0.citations',
      of([{ type: 'document', source: { type: 'text', data: 'x' }, citations: { enabled: true } }]),
    ],
    ['messages.0.content.0.tool_use_id', of([{ type: 'tool_result' }])],
    ['messages.0.content.0.is_error', of([result('a', { is_error: 'no' })])],
    ['messages.0.content.0.content.0.type', of([result('a', { content: [{ type: 'tool_reference' }] })])],
    ['system.0.type', { system: [IMAGE] }],
    ['tools.1.type', { tools: [TOOL, { type: 'bash_20250124', name: 'bash' }] }],
    ['tools.0.defer_loading', { tools: [{ ...TOOL, defer_loading: true }] }],
    ['tools.0.allowed_callers', { tools: [{ ...TOOL, allowed_callers: ['code_execution_20250825'] }] }],
    ['tool_choice.name', { tools: [TOOL], tool_choice: { type: 'tool' } }],
    ['output_config.task_budget', { output_config: { task_budget: {} } }],
    ['context_management.edits.0', { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }],
    ...['container', 'inference_geo', 'mcp_servers', 'n', 'output_format', 'speed'].map((field): [string, object] => [
      field,
      { [field]: 'x' },
    ]),
  ])('names %s, which cannot be carried', (param, fields) => {
    const read = () => toChatFields(asked(fields));
    expect(read).toThrow(InvalidRequestError);
    expect(read).toThrow(expect.objectContaining({ param }));
  });
});
