import { valueAt } from '@hone/call-queries';
import { askedText } from '@hone/calls';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  PROMPT_VARIABLE,
  setKey,
  stringifyJson,
} from '@hone/contracts';

import { toText } from '../judged-calls/call-texts.js';
import type { PlannedCandidate } from './evaluation-job.record.js';

/** Names of the variables of a prompt, each once. */
export const variablesOf = (messages: JsonValue[]): string[] => [
  ...new Set([...stringifyJson(messages).matchAll(PROMPT_VARIABLE)].map(([, name]) => name as string)),
];

/**
 * The body that asks a candidate a row. The messages are `messages` or `inputs.messages` of the row; else, and without a
 * prompt, the text by which lists of calls show what they were asked is that of a user.
 *
 * @param seed of the trial
 * @returns `missing`: what the row lacks
 */
export function requestOf(
  candidate: Pick<PlannedCandidate, 'asked' | 'prompt' | 'parameters'>,
  row: JsonObject,
  seed: number,
): JsonObject | { readonly missing: string } {
  const { asked, prompt, parameters } = candidate;
  const messages = messagesOf(row, prompt === null);
  if (messages === null && prompt === null) return { missing: 'messages' };
  const body: JsonObject = { ...parameters, seed, ...(asked !== null && { model: asked }), messages: messages ?? [] };
  if (prompt === null) return body;
  const variables: JsonObject = {};
  for (const name of prompt.variables) {
    const text = toText(variableOf(row, name));
    if (text === null) return { missing: name };
    setKey(variables, name, text);
  }
  return { ...body, prompt: { id: prompt.objectId, version: prompt.digest, variables } };
}

function messagesOf(row: JsonObject, fromText: boolean): JsonValue[] | null {
  const messages = memberOf(row, 'messages') ?? memberOf(memberOf(row, 'inputs'), 'messages');
  if (Array.isArray(messages) && messages.length > 0) return messages;
  const text = fromText ? (askedText(row) ?? askedText(memberOf(row, 'inputs') ?? null)) : null;
  return text === null ? null : [{ role: 'user', content: text }];
}

/** A member of the row by its name, else by a path, else among its `inputs`. */
const variableOf = (row: JsonObject, name: string): JsonValue =>
  memberOf(row, name) ?? (valueAt(row, name.split('.')) as JsonValue) ?? inputOf(row, name);

const inputOf = (row: JsonObject, name: string): JsonValue => {
  const inputs = memberOf(row, 'inputs');
  return isJsonObject(inputs) ? (memberOf(inputs, name) ?? null) : null;
};
