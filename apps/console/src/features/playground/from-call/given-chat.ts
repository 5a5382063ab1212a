import { isJsonObject, JsonNumber } from '@hone/client';

import { type SentMessage, toTurn } from '../../../shared/chat/chat.js';
import { prettyJson } from '../../../shared/format/preview.js';
import { readPrompt } from '../../../shared/prompts/prompt.js';
import type { Turn } from '../conversation.js';
import { LIKELIEST, SCHEMA_NAME } from '../parameters/request.js';

/** A chat that the playground goes on from. */
export interface GivenChat {
  /** Texts of its fields, by their names in the address. */
  readonly fields: Readonly<Record<string, string>>;
  /** Messages that have no field: all but the system prompt and the last question, where these are plain text. */
  readonly earlier: readonly Turn[];
  /** What is left out, with the reason, each as a sentence. */
  readonly leftOut: readonly string[];
}

export const NOTHING_GIVEN: GivenChat = { fields: {}, earlier: [], leftOut: [] };

type Loose = Readonly<Record<string, unknown>>;

/** Parameters that have a field of their own, which takes a number. */
const NUMBERS = ['temperature', 'top_p', 'max_tokens', 'seed', 'presence_penalty', 'frequency_penalty'];
/** How the playground asks anyway. */
const AS_ALWAYS: Loose = { n: 1, stream: true, background: false };

const LEFT_OUT: Readonly<Record<string, string>> = {
  stream: 'answers are always streamed here.',
  stream_options: 'answers are always streamed here.',
  background: 'answers are always streamed here.',
  n: 'one answer is shown; add the model again for another.',
  request_id: 'each request has an id of its own.',
  self: 'it belongs to the client that was traced.',
};

/** What the playground takes over of a chat, given the inputs of its call with all that they hold. */
export function toGivenChat(inputs: unknown): GivenChat {
  if (!isJsonObject(inputs)) return NOTHING_GIVEN;
  const { fields, earlier, leftOut } = givenMessages(inputs['messages']);
  const parameters = new Map(Object.entries(inputs).filter(([name, value]) => isParameter(name, value)));
  const skipped = [...parameters.keys()].filter((name) => Object.hasOwn(LEFT_OUT, name));
  for (const name of skipped) parameters.delete(name);
  return {
    fields: {
      ...fields,
      ...(typeof inputs['model'] === 'string' && { model: inputs['model'] }),
      ...numbersOf(inputs),
      ...takeKnown(parameters),
      ...(parameters.size > 0 && { parameters: prettyJson(Object.fromEntries(parameters)) }),
    },
    earlier,
    leftOut: [...leftOut, ...skipped.map((name) => `${name}: ${LEFT_OUT[name]}`)],
  };
}

/** What the playground takes over of a prompt object, which {@link readPrompt} can read. */
export function toGivenPrompt(value: unknown): GivenChat {
  const { messages = [] } = readPrompt(value) ?? {};
  const model = isJsonObject(value) ? value['model'] : undefined;
  return toGivenChat({ messages, ...(typeof model === 'string' && { model }) });
}

/** Null is the default of every parameter. */
const isParameter = (name: string, value: unknown): boolean => {
  if (value === null || (Object.hasOwn(AS_ALWAYS, name) && AS_ALWAYS[name] === value)) return false;
  return NUMBERS.includes(name) ? !isNumber(value) : name !== 'model' && name !== 'messages';
};

const isNumber = (value: unknown): value is number | JsonNumber =>
  typeof value === 'number' || value instanceof JsonNumber;

function numbersOf(inputs: Loose): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of NUMBERS) if (isNumber(inputs[name])) found[name] = String(inputs[name]);
  return found;
}

/** Takes those away that have a field of another kind. @returns the texts of these */
function takeKnown(parameters: Map<string, unknown>): Record<string, string> {
  const [tools, format] = [parameters.get('tools'), parameters.get('response_format')];
  const found: Record<string, string> = {};
  if (Array.isArray(tools) && tools.length > 0 && tools.every(isTool)) found['tools'] = prettyJson(tools);
  if (isJsonObject(format) && format['type'] === 'json_schema') found['schema'] = prettyJson(schemaOf(format));
  if (parameters.get('logprobs') === true && parameters.get('top_logprobs') === LIKELIEST) found['logprobs'] = '1';
  if ('tools' in found) parameters.delete('tools');
  if ('schema' in found) parameters.delete('response_format');
  if ('logprobs' in found) for (const name of ['logprobs', 'top_logprobs']) parameters.delete(name);
  return found;
}

const isTool = (tool: unknown): boolean => isJsonObject(tool) && 'function' in tool;

/** The schema alone where the playground would add the same around it. */
function schemaOf(format: Loose): unknown {
  const { name, schema, ...more } = isJsonObject(format['json_schema']) ? format['json_schema'] : {};
  const isBare = name === SCHEMA_NAME && isJsonObject(schema) && Object.keys(more).length === 0;
  return isBare ? schema : format;
}

function givenMessages(messages: unknown): GivenChat {
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const sent = all.filter(isMessage);
  const [first, last] = [sent[0], sent.at(-1)];
  const system = isPlain(first, 'system') && first.content.trim() !== '' ? first.content : null;
  const message = isPlain(last, 'user') ? last.content : null;
  const missing = all.length - sent.length;
  return {
    fields: { ...(system !== null && { system }), ...(message !== null && { message }) },
    earlier: sent.slice(system === null ? 0 : 1, message === null ? undefined : -1).map(givenTurn),
    leftOut: missing === 0 ? [] : [`messages: ${missing} of ${all.length} have no role.`],
  };
}

const isMessage = (value: unknown): value is SentMessage => isJsonObject(value) && typeof value['role'] === 'string';

/** Whether a message is no more than a text of this role. */
const isPlain = (message: SentMessage | undefined, role: string): message is SentMessage & { content: string } =>
  message?.role === role &&
  typeof message['content'] === 'string' &&
  Object.entries(message).every(([key, value]) => key === 'role' || key === 'content' || value === null);

const givenTurn = (message: SentMessage): Turn => ({ ...toTurn(message), tokens: [], message });
