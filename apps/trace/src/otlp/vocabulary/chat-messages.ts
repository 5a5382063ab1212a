import { isJsonObject, type JsonObject, type JsonValue, memberOf, setKey, stringifyJson } from '@hone/contracts';

import { toContentPart } from './content-parts.js';
import { parsedText } from './json-text.js';

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
  const message = memberOf(parsed, 'message');
  return readMessage(isJsonObject(message) ? message : parsed, role);
}

/** Parts of one message of the system, which OpenTelemetry sends apart from the others. */
export function toSystemMessages(value: JsonValue | undefined): JsonObject[] {
  const parsed = parsedText(value);
  const isParts =
    Array.isArray(parsed) && parsed.every((part) => isJsonObject(part) && memberOf(part, 'role') === undefined);
  return isParts ? readMessage({ parts: parsed }, 'system') : toMessages(parsed, 'system');
}

/**
 * Answers of a model as choices of OpenAI's chat API.
 *
 * @param reasons why the model stopped, by choice, of those that do not say it themselves
 */
export const toChoices = (messages: JsonValue[], reasons: JsonValue[] = []): JsonObject[] =>
  messages
    .filter((message) => message !== null)
    .flatMap((message, index) => {
      const [first] = toMessages(message, 'assistant');
      if (!first) return [];
      return [
        { index, message: first, finish_reason: finishReason(memberOf(message, 'finish_reason') ?? reasons[index]) },
      ];
    });

/** Other names of reasons: those of the semantic conventions, Anthropic and Vercel's AI SDK. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  tool_call: 'tool_calls',
  'tool-calls': 'tool_calls',
  tool_use: 'tool_calls',
  'content-filter': 'content_filter',
};

function finishReason(reason: JsonValue | undefined): string | null {
  if (typeof reason !== 'string' || reason === '') return null;
  return Object.hasOwn(FINISH_REASONS, reason) ? (FINISH_REASONS[reason] as string) : reason;
}

function readMessage(message: JsonObject, defaultRole: string): JsonObject[] {
  const named = memberOf(message, 'role');
  const role = typeof named === 'string' && named !== '' ? named : defaultRole;
  const parts = memberOf(message, 'parts') ?? partsIn(memberOf(message, 'content'));
  const beside = besideContent(message);
  if (!Array.isArray(parts)) return [{ role, content: contentOf(message), ...beside }];
  const [first, ...others] = fromParts(parts, role);
  // LiteLLM has the calls of tools of earlier turns, and whose result it is, beside the parts.
  return [{ ...beside, ...first }, ...others];
}

/** Parts that are calls of tools, and results: in OpenTelemetry's words, and in those of Vercel's AI SDK. */
const isCall = (part: JsonValue): boolean => ['tool_call', 'tool-call'].includes(typeOf(part));
const isResult = (part: JsonValue): boolean => ['tool_call_response', 'tool-result'].includes(typeOf(part));

const typeOf = (part: JsonValue): string => textOf(memberOf(part, 'type'));

/** The content itself, where it has calls of tools or results, as that of the AI SDK; else undefined. */
const partsIn = (content: JsonValue | undefined): JsonValue[] | undefined =>
  Array.isArray(content) && content.some((part) => isCall(part) || isResult(part)) ? content : undefined;

/** The fields of a message other than its role and content. */
function besideContent(message: JsonObject): JsonObject {
  const read: JsonObject = {};
  for (const key of ['name', 'tool_call_id', 'reasoning_content', 'refusal']) {
    const value = memberOf(message, key);
    if (value !== undefined && value !== null) read[key] = value;
  }
  const calls = memberOf(message, 'tool_calls');
  if (Array.isArray(calls) && calls.length) read['tool_calls'] = calls.filter(isJsonObject).map(toToolCall);
  return read;
}

/** OpenInference numbers the pieces of a content and wraps each. */
function contentOf(message: JsonObject): JsonValue {
  const pieces = memberOf(message, 'contents');
  if (Array.isArray(pieces))
    return pieces.map((piece) =>
      toContentPart(isJsonObject(piece) ? (memberOf(piece, 'message_content') ?? piece) : piece),
    );
  const content = memberOf(message, 'content') ?? null;
  return Array.isArray(content) ? content.map(toContentPart) : content;
}

/**
 * OpenTelemetry's parts, and those of Vercel's AI SDK: texts make the content, calls of tools are apart, each result of a
 * tool is a message.
 * Source: OpenTelemetry semantic conventions for generative AI, `gen-ai-input-messages.json`.
 */
function fromParts(parts: JsonValue[], role: string): JsonObject[] {
  const content: JsonValue[] = [];
  const calls: JsonObject[] = [];
  const results: JsonObject[] = [];
  let reasoning = '';
  for (const part of parts) {
    if (!isJsonObject(part)) content.push(toContentPart(typeof part === 'string' ? part : stringifyJson(part)));
    else if (part['type'] === 'reasoning' || part['type'] === 'thinking')
      reasoning += textOf(memberOf(part, 'content') ?? memberOf(part, 'text'));
    else if (isCall(part)) calls.push(toToolCall(part));
    else if (isResult(part)) results.push(toToolResult(part));
    else content.push(toContentPart(part));
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

function toToolResult(part: JsonObject): JsonObject {
  // The AI SDK says what kind of value it is: `{"type": "json", "value": {…}}`.
  const output = memberOf(part, 'output');
  return {
    role: 'tool',
    tool_call_id: memberOf(part, 'id') ?? memberOf(part, 'toolCallId') ?? null,
    content: textOf(memberOf(output, 'value') ?? output ?? memberOf(part, 'response') ?? memberOf(part, 'result')),
  };
}

function toToolCall(call: JsonObject): JsonObject {
  const wrapped = memberOf(call, 'tool_call');
  const inner = isJsonObject(wrapped) ? wrapped : call;
  const named = memberOf(inner, 'function');
  const called = isJsonObject(named) ? named : inner;
  const read: JsonObject = { id: memberOf(inner, 'id') ?? memberOf(inner, 'toolCallId') ?? null, type: 'function' };
  // The AI SDK's names, of its versions since 5 and before.
  const args = memberOf(called, 'arguments') ?? memberOf(called, 'input') ?? memberOf(called, 'args');
  const name = memberOf(called, 'name') ?? memberOf(called, 'toolName') ?? '';
  setKey(read, 'function', { name, arguments: textOf(args) });
  return read;
}

/** What tools take and give is text in the chat API. */
const textOf = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : stringifyJson(value);
