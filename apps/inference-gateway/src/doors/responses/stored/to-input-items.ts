import type { ChatToolCall } from '../../translation/chat-json.js';

type Json = Record<string, unknown>;

/** An item of the input of a stored response. */
export interface InputItem extends Json {
  readonly id: string;
}

/** Messages of a chat as the items of a response's input. @param rid of the response, for the ids of items */
export function toInputItems(messages: readonly Json[], rid: string): InputItem[] {
  return toItems(messages).map((item, at) => ({ id: `item_${rid}_${at}`, ...item }));
}

/** The same without ids. */
export const toItems = (messages: readonly Json[]): Json[] => messages.flatMap(itemsOf);

function itemsOf({ role, content, refusal, tool_calls: calls, tool_call_id: callId }: Json): Json[] {
  if (role === 'tool') return [{ type: 'function_call_output', call_id: callId, status: 'completed', output: content }];
  const parts = [...toParts(content, role), ...(refusal ? [{ type: 'refusal', refusal }] : [])];
  const message = { type: 'message', status: 'completed', role, content: parts };
  return [
    ...(parts.length > 0 ? [message] : []),
    ...((calls as readonly ChatToolCall[] | undefined) ?? []).map(toCall),
  ];
}

function toParts(content: unknown, role: unknown): Json[] {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  if (typeof content === 'string') return [{ type, text: content }];
  return ((content as readonly Json[] | null) ?? []).map((part) => {
    const { url, detail = 'auto' } = (part['image_url'] as Json | undefined) ?? {};
    if (part['type'] === 'text') return { type, text: part['text'] };
    if (part['type'] === 'image_url') return { type: 'input_image', image_url: url, detail };
    if (part['type'] === 'file') return { type: 'input_file', ...(part['file'] as Json) };
    return part;
  });
}

const toCall = ({ id, function: called, custom }: ChatToolCall): Json =>
  custom
    ? { type: 'custom_tool_call', call_id: id, name: custom.name, input: custom.input }
    : { type: 'function_call', status: 'completed', call_id: id, name: called?.name, arguments: called?.arguments };
