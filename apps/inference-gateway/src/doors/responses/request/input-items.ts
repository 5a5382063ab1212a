import { isJsonObject } from '@hone/json';

import { readCallId } from '../../translation/call-id.js';
import { invalid, textAt, unsupported } from '../../translation/refusals.js';
import { joinedName } from './namespaces.js';

type Json = Record<string, unknown>;
type Loc = readonly (string | number)[];

/** Messages of a chat, put together from the items of a response's input. */
class Messages {
  readonly list: Json[] = [];
  /** The assistant's message that calls of tools still belong to. */
  private open: Json | null = null;

  add(message: Json): void {
    this.list.push(message);
    this.open = message['role'] === 'assistant' ? message : null;
  }

  /** A call stands beside the text before it, and beside other calls: chat completions have them in one message. */
  addCall(call: Json): void {
    if (this.open === null) this.add({ role: 'assistant', content: null });
    const { open } = this;
    if (open === null) return;
    open['tool_calls'] = [...((open['tool_calls'] as Json[] | undefined) ?? []), call];
  }
}

/**
 * The messages that the items of an input are, see "input" in https://platform.openai.com/docs/api-reference/responses/create.
 * Reasoning is left out: a chat completion has no place for it, and models do without that of earlier turns.
 *
 * @throws InvalidRequestError an item that a chat completion cannot carry
 */
export function toMessages(input: unknown, instructions: string | undefined): Json[] {
  const messages = new Messages();
  if (instructions !== undefined) messages.add({ role: 'system', content: instructions });
  if (typeof input === 'string') messages.add({ role: 'user', content: input });
  else if (!Array.isArray(input)) throw invalid(['input'], 'Input should be a string or a list of items');
  else for (const [at, item] of input.entries()) addItem(messages, item, ['input', at]);
  return messages.list;
}

function addItem(messages: Messages, item: unknown, loc: Loc): void {
  if (!isJsonObject(item)) throw invalid(loc, 'Input should be a valid object');
  const { type = 'message' } = item;
  switch (type) {
    case 'message':
      return messages.add(toMessage(item, loc));
    case 'function_call':
    case 'custom_tool_call':
      return messages.addCall(toCall(item, loc));
    case 'function_call_output':
    case 'custom_tool_call_output':
      return messages.add({
        role: 'tool',
        tool_call_id: readCallId(textAt(item['call_id'], [...loc, 'call_id'])).id,
        content: toContent(item['output'], [...loc, 'output']),
      });
    case 'reasoning':
      return;
    default:
      throw unsupported([...loc, 'type'], `Items of type ${String(type)} are not supported`);
  }
}

function toMessage({ role, content }: Json, loc: Loc): Json {
  const text = toContent(content, [...loc, 'content']);
  if (role !== 'assistant' || typeof text === 'string') return { role, content: text };
  const refusal = text.find((part) => part['type'] === 'refusal')?.['refusal'];
  const parts = text.filter((part) => part['type'] !== 'refusal');
  return { role, content: parts.length > 0 ? parts : null, ...(refusal !== undefined && { refusal }) };
}

function toCall(item: Json, loc: Loc): Json {
  const { id, extra } = readCallId(textAt(item['call_id'], [...loc, 'call_id']));
  const own = textAt(item['name'], [...loc, 'name']);
  const { namespace } = item;
  const name = isGiven(namespace) ? joinedName(textAt(namespace, [...loc, 'namespace']), own) : own;
  return item['type'] === 'custom_tool_call'
    ? { id, type: 'custom', custom: { name, input: textAt(item['input'], [...loc, 'input']) }, ...extra }
    : {
        id,
        type: 'function',
        function: { name, arguments: textAt(item['arguments'], [...loc, 'arguments']) },
        ...extra,
      };
}

function toContent(content: unknown, loc: Loc): string | Json[] {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalid(loc, 'Input should be a string or a list of parts');
  const parts = content.map((part, at) => toPart(part, [...loc, at]));
  const [only] = parts;
  // A text alone is what every model takes.
  return parts.length === 1 && only?.['type'] === 'text' ? (only['text'] as string) : parts;
}

function toPart(part: unknown, loc: Loc): Json {
  if (!isJsonObject(part)) throw invalid(loc, 'Input should be a valid object');
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: textAt(part['text'], [...loc, 'text']) };
    case 'refusal':
      return { type: 'refusal', refusal: textAt(part['refusal'], [...loc, 'refusal']) };
    case 'input_image':
      return toImage(part, loc);
    case 'input_audio':
      return { type: 'input_audio', input_audio: part['input_audio'] };
    case 'input_file':
      return toFile(part, loc);
    default:
      throw unsupported([...loc, 'type'], `Parts of type ${String(part['type'])} are not supported`);
  }
}

function toImage({ image_url: url, file_id: file, detail }: Json, loc: Loc): Json {
  if (isGiven(file))
    throw unsupported([...loc, 'file_id'], 'Files are not kept here: send the image itself, or its URL');
  return {
    type: 'image_url',
    image_url: { url: textAt(url, [...loc, 'image_url']), ...(isGiven(detail) && { detail }) },
  };
}

function toFile({ file_data: data, filename, file_id: id, file_url: url }: Json, loc: Loc): Json {
  if (isGiven(id)) throw unsupported([...loc, 'file_id'], 'Files are not kept here: send the file itself as file_data');
  if (isGiven(url)) throw unsupported([...loc, 'file_url'], 'Files are not fetched: send the file itself as file_data');
  return {
    type: 'file',
    file: { file_data: textAt(data, [...loc, 'file_data']), ...(isGiven(filename) && { filename }) },
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
