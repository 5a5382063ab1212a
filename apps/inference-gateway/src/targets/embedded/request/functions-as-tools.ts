import type { ChatCompletionRequestDto, ChatMessage } from '@hone/contracts';

type Json = Record<string, unknown>;

/** A call of the older notation, in the conversation. */
interface FunctionCall {
  readonly name: string;
  readonly arguments: string;
}

/** The request has tools in the older notation: so has its answer. */
export const usesFunctions = ({ functions }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(functions) && functions.length > 0;

/**
 * The same request in the newer notation: `functions` as tools, `function_call` as `tool_choice`, and so in its messages
 * (https://platform.openai.com/docs/api-reference/chat/create, deprecated fields).
 */
export function functionsAsTools(fields: ChatCompletionRequestDto): ChatCompletionRequestDto {
  const { functions, function_call: choice, ...others } = fields;
  const messages = messagesWithTools(fields.messages);
  if (!functions || functions.length === 0) return { ...others, messages };
  const tools = functions.map((one) => ({ type: 'function' as const, function: one }));
  const tool_choice = typeof choice === 'object' && choice !== null ? { function: { name: choice.name } } : choice;
  // A message of the older notation holds one call at most.
  return { ...others, messages, tools, parallel_tool_calls: false, ...(tool_choice && { tool_choice }) };
}

function messagesWithTools(messages: ChatMessage[]): ChatMessage[] {
  if (!messages.some((message) => message.role === 'function' || isCall(message['function_call']))) return messages;
  let calls = 0;
  return messages.map((message) => {
    const { function_call: call, ...others } = message as ChatMessage & Json;
    // The result of the last call: the older notation has no ids. Some templates take ids of nine characters only.
    if (message.role === 'function') return { ...others, role: 'tool', tool_call_id: idOf(calls) } as ChatMessage;
    if (!isCall(call)) return message;
    calls += 1;
    return { ...others, tool_calls: [{ id: idOf(calls), type: 'function', function: call }] } as ChatMessage;
  });
}

const idOf = (call: number): string => `call${String(call).padStart(5, '0')}`;

const isCall = (value: unknown): value is FunctionCall =>
  typeof value === 'object' && value !== null && typeof (value as Json).name === 'string';
