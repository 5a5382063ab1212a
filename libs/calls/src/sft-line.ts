import {
  asNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  setKey,
  stringifyJson,
  withToolCalls,
} from '@hone/contracts';
import { isDeeperThan } from '@hone/json';

import { isChatTool, toChatTools } from './chat-tools.js';

/** Levels of a line that training accepts. */
const MAX_LEVELS = 64;
/** Characters of inputs and output together: no context holds more, and reading more would hold up other requests. */
const MAX_CHARACTERS = 4 * 1_048_576;
const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/**
 * A call of a chat model as a line that training takes: the messages it was made with, then the assistant's message that
 * it answered. `functions` and `function_call`, which came before `tools` and `tool_calls`, become these.
 *
 * @param inputs exact text of the inputs; null: it has none
 * @param output exact text of the output: a chat completion, a message, or the text of one
 * @returns null: the call has no messages, no answer, or one that no training could take
 */
export function toSftLine(inputs: string | null, output: string | null): string | null {
  if (inputs === null || output === null || inputs.length + output.length > MAX_CHARACTERS) return null;
  if (!inputs.includes('"messages"')) return null;
  const conversation = readConversation(parseJson(inputs), parseJson(output));
  return conversation && stringifyJson(lineOf(conversation));
}

/** Messages that a model was given, and its answer, as training takes them. */
export interface Conversation {
  readonly messages: JsonValue[];
  /** The assistant's message. */
  readonly answer: JsonValue;
  /** Null: none. */
  readonly tools: JsonValue[] | null;
}

/**
 * @param maxLevels of nesting, of its line of fine-tuning data
 * @returns null: there are no messages, no answer, or one that no training could take
 */
export function readConversation(inputs: JsonValue, output: JsonValue, maxLevels = MAX_LEVELS): Conversation | null {
  const messages = memberOf(inputs, 'messages');
  if (!Array.isArray(messages) || messages.length === 0) return null;
  const answered = answerOf(output);
  if (!answered) return null;
  const all = [...messages, answered];
  if (!all.every(isJsonObject)) return null;
  const read = withToolCalls(all).map(withTextArguments);
  if (!read.every(isMessage)) return null;
  // A list that came before `tools` has definitions in the flat form.
  const tools = toChatTools(memberOf(inputs, 'tools') ?? memberOf(inputs, 'functions'));
  if (!tools.every(isChatTool)) return null;
  const conversation = {
    messages: read.slice(0, -1),
    answer: read.at(-1) as JsonValue,
    tools: tools.length > 0 ? tools : null,
  };
  return isDeeperThan(lineOf(conversation), maxLevels) ? null : conversation;
}

/** A line of fine-tuning data. */
export function lineOf({ messages, answer, tools }: Conversation): JsonObject {
  return { messages: [...messages, answer], ...(tools && { tools }) };
}

/** The assistant's message in what a call answered. */
function answerOf(output: JsonValue): JsonObject | null {
  if (typeof output === 'string') return output === '' ? null : { role: 'assistant', content: output };
  const choices = memberOf(output, 'choices');
  const message = Array.isArray(choices) ? memberOf(choices[0], 'message') : (memberOf(output, 'message') ?? output);
  if (!isJsonObject(message) || memberOf(message, 'role') !== 'assistant') return null;
  const [content, calls] = [memberOf(message, 'content'), memberOf(message, 'tool_calls')];
  const says = (typeof content === 'string' && content !== '') || (Array.isArray(content) && content.length > 0);
  const isCalling = (Array.isArray(calls) && calls.length > 0) || isJsonObject(memberOf(message, 'function_call'));
  return says || isCalling ? message : null;
}

/** Some clients trace the arguments of a tool call parsed; a line has them as text. */
function withTextArguments(message: JsonValue): JsonValue {
  const calls = memberOf(message, 'tool_calls');
  if (!Array.isArray(calls)) return message;
  return changed(
    message as JsonObject,
    'tool_calls',
    calls.map((call) => {
      const called = memberOf(call, 'function');
      const given = memberOf(called, 'arguments');
      if (!isJsonObject(given)) return call;
      return changed(call as JsonObject, 'function', changed(called as JsonObject, 'arguments', stringifyJson(given)));
    }),
  );
}

function changed(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(object)) setKey(copy, name, name === key ? value : object[name]);
  return copy;
}

function isMessage(message: JsonValue): boolean {
  const [role, content, calls] = ['role', 'content', 'tool_calls'].map((key) => memberOf(message, key));
  if (typeof role !== 'string' || !ROLES.includes(role)) return false;
  const isAbsent = content === undefined || content === null;
  if (isAbsent ? role !== 'assistant' : typeof content !== 'string' && !Array.isArray(content)) return false;
  if (role === 'assistant' && !isWeight(memberOf(message, 'weight'))) return false;
  return calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isToolCall));
}

function isWeight(weight: JsonValue | undefined): boolean {
  const number = asNumber(weight);
  return weight === undefined || weight === null || number === 0 || number === 1;
}

const isToolCall = (call: JsonValue): boolean =>
  ['name', 'arguments'].every((key) => typeof memberOf(memberOf(call, 'function'), key) === 'string');
