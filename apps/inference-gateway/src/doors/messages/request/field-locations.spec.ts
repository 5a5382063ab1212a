import { toConversation } from './conversation.js';
import { toMessageLoc } from './field-locations.js';

describe('where an issue of a chat completion stands in the message', () => {
  const text = { type: 'text', text: 'x' };
  const image = { type: 'image', source: { type: 'url', url: 'https://x' } };
  const { origins } = toConversation(
    [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f' }] },
      { role: 'user', content: [text, { type: 'tool_result', tool_use_id: 'a', content: [text, image] }] },
      { role: 'user', content: [image] },
    ],
    'Be brief.',
  );

  it.each([
    ['messages.0.content', 'system'],
    ['messages.1.content', 'messages.0'],
    ['messages.2.tool_calls.0', 'messages.1'],
    ['messages.3.content', 'messages.2.content.1'],
    ['messages.4.content.1.type', 'messages.2.content.1.content.1.type'],
    ['messages.4.content.2.type', 'messages.2.content.0.type'],
    ['messages.4.content.3.type', 'messages.3.content.0.type'],
    ['messages.9', 'messages'],
    ['messages', 'messages'],
    ['tools.1.function.parameters.x', 'tools.1.input_schema.x'],
    ['tools.1.function.name', 'tools.1.name'],
    ['tools', 'tools'],
    ['stop.0', 'stop_sequences.0'],
    ['user', 'metadata.user_id'],
    ['max_completion_tokens', 'max_tokens'],
    ['continue_final_message', 'messages'],
    ['top_k', 'top_k'],
    ['', ''],
  ])('%s -> %s', (chat, message) => {
    const loc = ['body', ...chat.split('.').filter(Boolean)].map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    expect(toMessageLoc(loc, origins).join('.')).toBe(['body', message].filter(Boolean).join('.'));
  });
});
