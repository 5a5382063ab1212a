import { toSftLine } from './sft-line.js';

const USER = { role: 'user', content: '2+2' };
const ANSWER = { role: 'assistant', content: '4' };
const CALL = { id: 'a', type: 'function', function: { name: 'add', arguments: '{"a":2}' } };
const line = (inputs: unknown, output: unknown) => {
  const text = toSftLine(JSON.stringify(inputs), JSON.stringify(output));
  return text === null ? null : JSON.parse(text);
};

describe('toSftLine', () => {
  it.each([
    [
      'a completion',
      { choices: [{ message: ANSWER, finish_reason: 'stop' }, { message: { ...ANSWER, content: 'no' } }] },
    ],
    ['an answer with a message', { message: ANSWER, done: true }],
    ['a message', ANSWER],
    ['a text', '4'],
  ])('ends with the message of %s', (_name, output) => {
    expect(line({ model: 'm', messages: [USER] }, output)).toEqual({ messages: [USER, ANSWER] });
  });

  it('keeps tools, and tool calls with their arguments as text', () => {
    const tools = [{ type: 'function', function: { name: 'add' } }];
    const parsed = { ...CALL, function: { name: 'add', arguments: { a: 2 } } };
    const asked = { role: 'assistant', content: null, tool_calls: [parsed] };
    const result = { role: 'tool', tool_call_id: 'a', content: '4' };
    const output = { role: 'assistant', content: null, tool_calls: [CALL] };
    expect(line({ messages: [USER, asked, result], tools }, output)).toEqual({
      messages: [USER, { ...asked, tool_calls: [CALL] }, result, output],
      tools,
    });
    expect(line({ messages: [USER], tools: [] }, '4')).toEqual({ messages: [USER, ANSWER] });
  });

  it('has functions and their calls, of the older notation, as tools', () => {
    const functions = [{ name: 'add', description: 'Adds', parameters: { type: 'object' } }];
    const asked = { role: 'assistant', content: null, function_call: { name: 'add', arguments: '{"a":2}' } };
    const result = { role: 'function', name: 'add', content: '4' };
    const again = { role: 'assistant', content: null, function_call: { name: 'add', arguments: { a: 4 } } };
    const output = { choices: [{ message: again, finish_reason: 'function_call' }] };
    const calling = (id: string, args: string) => ({
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id, type: 'function', function: { name: 'add', arguments: args } }],
    });
    expect(line({ messages: [USER, asked, result], functions, function_call: 'auto' }, output)).toEqual({
      messages: [
        USER,
        calling('call00001', '{"a":2}'),
        { role: 'tool', name: 'add', content: '4', tool_call_id: 'call00001' },
        calling('call00003', '{"a":4}'),
      ],
      tools: [{ type: 'function', function: functions[0] }],
    });
    expect(line({ messages: [USER], functions, tools: [] }, ANSWER)).toEqual({ messages: [USER, ANSWER] });
  });

  it.each([
    [
      'their text',
      [{ tool: { json_schema: JSON.stringify({ type: 'function', function: { name: 'add', parameters: {} } }) } }],
    ],
    ['flat', [{ type: 'function', name: 'add', parameters: {} }]],
    ["Anthropic's form", [{ name: 'add', input_schema: {} }]],
    ["the form of Vercel's AI SDK", ['{"type":"function","name":"add","inputSchema":{}}']],
    ['a list as text', '[{"type":"function","function":{"name":"add","parameters":"{}"}}]'],
  ])('has tools in the form of chat templates that were traced as %s', (_form, tools) => {
    expect(line({ messages: [USER], tools }, '4').tools).toEqual([
      { type: 'function', function: { name: 'add', parameters: {} } },
    ]);
  });

  it('keeps numbers and odd keys as they were sent', () => {
    const inputs = '{"messages":[{"role":"user","content":"x","n":1.0,"__proto__":{"role":"tool"}}]}';
    expect(toSftLine(inputs, '"\\ud800 12345678901234567890"')).toBe(
      '{"messages":[{"role":"user","content":"x","n":1.0,"__proto__":{"role":"tool"}},' +
        '{"role":"assistant","content":"\\ud800 12345678901234567890"}]}',
    );
  });

  it.each([
    ['no messages', { q: '2+2' }, '4'],
    ['no list of messages', { messages: 'hi' }, '4'],
    ['an empty list of messages', { messages: [] }, '4'],
    ['messages elsewhere', { params: { messages: [USER] } }, '4'],
    ['no answer', { messages: [USER] }, null],
    ['an empty answer', { messages: [USER] }, ''],
    ['an answer without content', { messages: [USER] }, { role: 'assistant', content: null }],
    ['an answer of somebody else', { messages: [USER] }, { role: 'user', content: '4' }],
    ['an answer that is no message', { messages: [USER] }, { id: 1 }],
    ['no choice', { messages: [USER] }, { choices: [] }],
    ['a message of an unknown role', { messages: [{ role: 'critic', content: '4' }] }, '4'],
    ['a message without content', { messages: [{ role: 'user' }] }, '4'],
    ['content that is no text', { messages: [{ role: 'user', content: { a: 1 } }] }, '4'],
    ['a message that is none', { messages: [USER, 'x'] }, '4'],
    ['an odd weight', { messages: [{ ...ANSWER, weight: 2 }] }, '4'],
    ['tool calls that are none', { messages: [USER] }, { role: 'assistant', tool_calls: [{ id: 'a' }] }],
    ['a function call that is none', { messages: [USER] }, { role: 'assistant', function_call: { name: 'add' } }],
    ['tools without a name', { messages: [USER], tools: [{ type: 'web_search' }] }, '4'],
    ['an inherited role', { messages: [JSON.parse('{"__proto__":{"role":"user","content":"x"}}')] }, '4'],
  ])('has no line of a call with %s', (_name, inputs, output) => {
    expect(line(inputs, output)).toBeNull();
  });

  it('has no line of a conversation that no context holds', () => {
    const inputs = { messages: [{ role: 'user', content: 'x'.repeat(2_000_000) }] };
    expect(line(inputs, 'y'.repeat(2_000_000))).not.toBeNull();
    expect(line(inputs, 'y'.repeat(2_200_000))).toBeNull();
  });

  it('has no line of what training would refuse as too deep, and bears what is deeper', () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(line({ messages: [{ role: 'user', content: nested(61) }] }, '4')).not.toBeNull();
    expect(line({ messages: [{ role: 'user', content: nested(62) }] }, '4')).toBeNull();
    expect(line({ messages: [{ role: 'user', content: nested(500) }] }, '4')).toBeNull();
  });
});
