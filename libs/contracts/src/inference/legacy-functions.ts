/** A message of a conversation. */
interface LineMessage {
  readonly role?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Conversations in the notation that OpenAI's `tools` replaced: `function_call` of an assistant becomes `tool_calls`,
 * a message of the role `function` becomes the answer to that call. Other messages stay as they are.
 */
export function withToolCalls<T extends LineMessage>(messages: readonly T[]): T[] {
  let callId = idOf(0);
  return messages.map((message, index) => {
    const { function_call: call, ...rest } = message;
    if (message.role === 'function') return { ...rest, role: 'tool', tool_call_id: callId } as unknown as T;
    if (message.role !== 'assistant' || !call || hasToolCalls(message)) return message;
    callId = idOf(index);
    return { ...rest, tool_calls: [{ id: callId, type: 'function', function: call }] } as unknown as T;
  });
}

/** `functions` of a line, as `tools` has them. */
export const toTools = (functions: readonly unknown[]): unknown[] =>
  functions.map((definition) => ({ type: 'function', function: definition }));

/** Whether a message calls a function, in the notation of today. */
export const hasToolCalls = ({ tool_calls: calls }: LineMessage): boolean => Array.isArray(calls) && calls.length > 0;

/** Mistral's templates take ids of nine letters and digits, and no others; those of other models take any. */
const idOf = (index: number): string => `call${String(index).padStart(5, '0')}`;
