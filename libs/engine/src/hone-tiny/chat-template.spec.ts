import { Template } from '@huggingface/jinja';

import { CHAT_TEMPLATE } from './chat-template.js';

const TOOLS = [{ type: 'function', function: { name: 'f', parameters: {} } }];
const TOOLS_TEXT = '<|tools|>[{"type":"function","function":{"name":"f","parameters":{}}}]<|end|>';

const render = (messages: object[], options: object = {}) =>
  new Template(CHAT_TEMPLATE).render({ messages, tools: null, add_generation_prompt: false, ...options });

describe('CHAT_TEMPLATE', () => {
  it('writes each message behind the token of its role', () => {
    const messages = [
      { role: 'system', content: 'Be exact.' },
      { role: 'user', content: ' hi\n' },
      { role: 'assistant', content: 'Hello!' },
      { role: 'tool', content: '42' },
    ];
    expect(render(messages)).toBe(
      '<|bos|><|system|>Be exact.<|end|><|user|> hi\n<|end|><|assistant|>Hello!<|end|><|tool|>42<|end|>',
    );
  });

  it('treats a developer as the system', () => {
    expect(render([{ role: 'developer', content: 'x' }], { tools: TOOLS })).toBe(
      `<|bos|><|system|>x<|end|>${TOOLS_TEXT}`,
    );
  });

  it('shows the tools first when there is no system message', () => {
    expect(render([{ role: 'user', content: 'x' }], { tools: TOOLS })).toBe(`<|bos|>${TOOLS_TEXT}<|user|>x<|end|>`);
  });

  it.each([
    ['JSON text, untouched', '{"a": 1}', '{"a": 1}'],
    ['an object', { a: 1, b: ['x'] }, '{"a":1,"b":["x"]}'],
  ])('writes the arguments of a call given as %s', (_, given, written) => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: given } };
    expect(render([{ role: 'assistant', content: null, tool_calls: [call, call] }])).toBe(
      `<|bos|><|assistant|>${`<|tool_call|>{"name":"f","arguments":${written}}`.repeat(2)}<|end|>`,
    );
  });

  it('ignores tool calls that are null', () => {
    expect(render([{ role: 'assistant', content: 'x', tool_calls: null }])).toBe('<|bos|><|assistant|>x<|end|>');
  });

  it('joins the text parts of a message', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(render([{ role: 'user', content }])).toBe('<|bos|><|user|>ab<|end|>');
  });

  it('refuses an image, and a role that it does not have', () => {
    expect(() => render([{ role: 'user', content: [{ type: 'image_url' }] }])).toThrow('reads text only');
    expect(() => render([{ role: 'critic', content: 'x' }])).toThrow('no role critic');
  });

  it('renders a prompt as the beginning of the conversation with its answer', () => {
    const prompt = [{ role: 'user', content: 'x' }];
    const whole = render([...prompt, { role: 'assistant', content: 'y' }], { tools: TOOLS });
    const opening = render(prompt, { tools: TOOLS, add_generation_prompt: true });
    expect([opening.endsWith('<|assistant|>'), whole.startsWith(opening)]).toEqual([true, true]);
  });
});
