import { isJsonObject, type JsonObject, type JsonValue, setKey, stringifyJson } from '@hone/contracts';

import { parsedText } from './attribute-reader.js';

/**
 * Messages in the form of OpenAI's chat API, from any of the forms that instrumentation writes: OpenTelemetry's parts,
 * OpenInference's `message`, OpenLLMetry's numbered attributes, and OpenAI's own.
 *
 * @param value one message, a list of them, either of them as JSON text, or plain text
 * @param role of what names none
 */
export function toMessages(value: JsonValue | undefined, role: string): JsonObject[] {
  const parsed = parsedText(value);
  if (parsed === undefined || parsed === null) return [];
  if (Array.isArray(parsed)) return parsed.flatMap((one) => toMessages(one, role));
  if (!isJsonObject(parsed)) return [{ role, content: typeof parsed === 'string' ? parsed : stringifyJson(parsed) }];
  const message = own(parsed, 'message');
  return readMessage(isJsonObject(message) ? message : parsed, role);
}

/** Parts of one message of the system, which OpenTelemetry sends apart from the others. */
export function toSystemMessages(value: JsonValue | undefined): JsonObject[] {
  const parsed = parsedText(value);
  const isParts =
    Array.isArray(parsed) && parsed.every((part) => isJsonObject(part) && own(part, 'role') === undefined);
  return isParts ? readMessage({ parts: parsed }, 'system') : toMessages(parsed, 'system');
}

/** Answers of a model as choices of OpenAI's chat API. */
export const toChoices = (messages: JsonValue[]): JsonObject[] =>
  messages
    .filter((message) => message !== null)
    .flatMap((message, index) => {
      const [first] = toMessages(message, 'assistant');
      if (!first) return [];
      const finish = isJsonObject(message) ? own(message, 'finish_reason') : undefined;
      return [{ index, message: first, finish_reason: typeof finish === 'string' ? finish : null }];
    });

function readMessage(message: JsonObject, defaultRole: string): JsonObject[] {
  const named = own(message, 'role');
  const role = typeof named === 'string' && named !== '' ? named : defaultRole;
  const parts = own(message, 'parts');
  if (Array.isArray(parts)) return fromParts(parts, role);
  const read: JsonObject = { role, content: contentOf(message) };
  for (const key of ['name', 'tool_call_id', 'reasoning_content', 'refusal']) {
    const value = own(message, key);
    if (value !== undefined && value !== null) read[key] = value;
  }
  const calls = own(message, 'tool_calls');
  if (Array.isArray(calls) && calls.length) read['tool_calls'] = calls.filter(isJsonObject).map(toToolCall);
  return [read];
}

/** OpenInference numbers the pieces of a content and wraps each. */
function contentOf(message: JsonObject): JsonValue {
  const pieces = own(message, 'contents');
  if (!Array.isArray(pieces)) return own(message, 'content') ?? null;
  return pieces.map((piece) => {
    const content = isJsonObject(piece) ? (own(piece, 'message_content') ?? piece) : piece;
    const image = isJsonObject(content) ? own(content, 'image') : undefined;
    const url = isJsonObject(image) ? (own(image, 'image') ?? image) : undefined;
    return isJsonObject(url) ? { type: 'image_url', image_url: url } : content;
  });
}

/**
 * OpenTelemetry's parts: texts make the content, calls of tools are apart, each result of a tool is a message.
 * Source: OpenTelemetry semantic conventions for generative AI, `gen-ai-input-messages.json`.
 */
function fromParts(parts: JsonValue[], role: string): JsonObject[] {
  const content: JsonValue[] = [];
  const calls: JsonObject[] = [];
  const results: JsonObject[] = [];
  let reasoning = '';
  for (const part of parts) {
    if (!isJsonObject(part))
      content.push({ type: 'text', text: typeof part === 'string' ? part : stringifyJson(part) });
    else if (part['type'] === 'text')
      content.push({ type: 'text', text: own(part, 'content') ?? own(part, 'text') ?? '' });
    else if (part['type'] === 'reasoning') reasoning += textOf(own(part, 'content'));
    else if (part['type'] === 'tool_call') calls.push(toToolCall(part));
    else if (part['type'] === 'tool_call_response') results.push(toToolResult(part));
    else if (part['type'] === 'uri') content.push({ type: 'image_url', image_url: { url: own(part, 'uri') ?? '' } });
    else content.push(part);
  }
  if (results.length && !content.length && !calls.length) return results;
  const message: JsonObject = { role, content: onlyText(content) };
  if (reasoning) message['reasoning_content'] = reasoning;
  if (calls.length) message['tool_calls'] = calls;
  return [message, ...results];
}

/** One piece of text is the content itself. */
function onlyText(content: JsonValue[]): JsonValue {
  if (content.length === 0) return null;
  const [first] = content;
  return content.length === 1 && isJsonObject(first) && first['type'] === 'text'
    ? (first['text'] as JsonValue)
    : content;
}

const toToolResult = (part: JsonObject): JsonObject => ({
  role: 'tool',
  tool_call_id: own(part, 'id') ?? null,
  content: textOf(own(part, 'response') ?? own(part, 'result')),
});

function toToolCall(call: JsonObject): JsonObject {
  const wrapped = own(call, 'tool_call');
  const inner = isJsonObject(wrapped) ? wrapped : call;
  const named = own(inner, 'function');
  const called = isJsonObject(named) ? named : inner;
  const read: JsonObject = { id: own(inner, 'id') ?? null, type: 'function' };
  setKey(read, 'function', { name: own(called, 'name') ?? '', arguments: textOf(own(called, 'arguments')) });
  return read;
}

/** What tools take and give is text in the chat API. */
const textOf = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : stringifyJson(value);

export const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
