type Json = Record<string, unknown>;

/** The prompt in the form of `gen_ai.input.messages`: JSON with texts and calls; of other parts only their type. */
export function toInputMessages(messages: unknown): string {
  const list = Array.isArray(messages) ? (messages as Json[]) : [];
  return JSON.stringify(list.map((message) => ({ role: message.role, parts: partsOf(message) })));
}

function partsOf(message: Json): Json[] {
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  if (role === 'tool') return [{ type: 'tool_call_response', id, response: content }];
  const texts = Array.isArray(content) ? (content as Json[]).map(partOf) : content ? [textOf(content)] : [];
  return [...texts, ...(Array.isArray(calls) ? (calls as Json[]).map(callOf) : [])];
}

const textOf = (content: unknown): Json => ({ type: 'text', content });
const partOf = ({ type, text }: Json): Json => (type === 'text' ? textOf(text) : { type });

function callOf({ id, function: called }: Json): Json {
  const { name, arguments: args } = (called ?? {}) as Json;
  return { type: 'tool_call', id, name, arguments: args };
}
