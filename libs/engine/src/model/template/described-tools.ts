import { isJsonObject } from '@hone/json';

import type { ChatMessage } from './chat-message.js';

/** How Hermes and Qwen are told of functions: the convention that most models have seen. */
const BEFORE = `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
`;
const AFTER = `
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`;

/**
 * The same conversation without tools, for a template that does not read them: functions are described in the first
 * message of the system or the user, calls and their results are text.
 *
 * @param tools as in chat completions
 */
export function withDescribedTools(messages: readonly ChatMessage[], tools: readonly unknown[]): ChatMessage[] {
  const plain = joinResults(messages.map(toText));
  const described = BEFORE + tools.map((tool) => JSON.stringify(tool)).join('\n') + AFTER;
  const at = plain.findIndex(({ role }) => role === 'system' || role === 'developer' || role === 'user');
  return plain.map((message, index) => {
    if (index !== at) return message;
    const texts = message.role === 'user' ? [described, textOf(message)] : [textOf(message), described];
    return { ...message, content: texts.filter((text) => text !== '').join('\n\n') };
  });
}

function toText(message: ChatMessage): ChatMessage {
  const { tool_calls: calls, tool_call_id: _of, ...rest } = message;
  if (message.role === 'tool') {
    return { role: 'user', content: `<tool_response>\n${textOf(message)}\n</tool_response>` };
  }
  if (!Array.isArray(calls) || calls.length === 0) return message;
  const texts = [textOf(message), ...calls.map(callText)].filter((text) => text !== '');
  return { ...rest, content: texts.join('\n') };
}

function callText(call: unknown): string {
  const { name = '', arguments: given = {} } = isJsonObject(call) && isJsonObject(call.function) ? call.function : {};
  const written = typeof given === 'string' ? given : JSON.stringify(given);
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${written}}\n</tool_call>`;
}

/** Results of calls that were made together are one message: many templates want the roles to alternate. */
function joinResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  const isResult = (message: ChatMessage | undefined) => textOf(message).startsWith('<tool_response>');
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'user' && isResult(message) && last?.role === 'user' && isResult(last)) {
      joined[joined.length - 1] = { ...last, content: `${textOf(last)}\n${textOf(message)}` };
    } else joined.push(message);
  }
  return joined;
}

const textOf = (message: ChatMessage | undefined): string =>
  typeof message?.content === 'string' ? message.content : '';
