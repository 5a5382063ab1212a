import { toChatTools } from '@hone/calls';
import { isJsonObject, type JsonObject, type JsonValue, memberOf, setKey } from '@hone/contracts';

import { toChoices, toMessages } from './chat-messages.js';

/** Whole requests to models, and their answers, as SDKs trace them in one value. */

/**
 * Inputs of a span from the value that a client traced: a request in the form of OpenAI's API, its messages alone, or
 * whatever a function takes.
 *
 * @param isModel the span is a request to a model, whose text is a message of the user
 */
export function toInputs(value: JsonValue, isModel: boolean): JsonObject {
  if (isMessages(value)) return { messages: messagesOf(value) };
  if (isModel && typeof value === 'string') return { messages: toMessages(value, 'user') };
  if (!isJsonObject(value)) return { input: value };
  const messages = memberOf(value, 'messages');
  if (!isMessages(messages)) return value;
  const inputs: JsonObject = {};
  for (const key of Object.keys(value)) setKey(inputs, key, value[key]);
  inputs['messages'] = messagesOf(messages);
  const tools = toChatTools(memberOf(value, 'tools'));
  if (tools.length > 0) inputs['tools'] = tools;
  return inputs;
}

/** Output of a span in the same way: a chat completion, messages, or whatever a function returns. */
export function toOutput(value: JsonValue, isModel: boolean): JsonValue {
  if (Array.isArray(memberOf(value, 'choices'))) return value;
  if (isMessages(value)) return { choices: toChoices(value) };
  if (isMessage(value) || (isModel && typeof value === 'string')) return { choices: toChoices([value]) };
  return value;
}

const messagesOf = (values: JsonValue[]): JsonValue[] => values.flatMap((message) => toMessages(message, 'user'));

const isMessages = (value: JsonValue | undefined): value is JsonValue[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMessage);

const isMessage = (value: JsonValue): boolean =>
  typeof memberOf(value, 'role') === 'string' &&
  ['content', 'parts', 'tool_calls'].some((key) => memberOf(value, key) !== undefined);
