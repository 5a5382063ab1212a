import { valueAt } from '@hone/call-queries';
import { answeredText, MESSAGES } from '@hone/calls';
import { isJsonObject, type JsonValue, memberOf, stringifyJson } from '@hone/contracts';

import type { CallValues } from './judged-call.js';

/** A value as people read it: a text as it is, all else as JSON. Null: there is none. */
export const toText = (value: JsonValue): string | null =>
  value === null ? null : typeof value === 'string' ? value : stringifyJson(value);

/** What a call answered: the text of its first message, else its output as JSON. Null: nothing. */
export const outputText = ({ output }: CallValues): string | null => answeredText(output) ?? toText(output);

/** @param path as `inputs.expected` */
export const valueOf = (values: CallValues, path: string): JsonValue => valueAt(values, path.split('.')) as JsonValue;

/** The conversation that a call continued, a line for each message; null: it has none. */
export function conversationText({ inputs }: CallValues): string | null {
  for (const name of MESSAGES) {
    const messages = memberOf(inputs, name);
    if (typeof messages === 'string') return messages;
    if (Array.isArray(messages)) return messages.map(lineOf).join('\n');
  }
  return null;
}

function lineOf(message: JsonValue): string {
  if (!isJsonObject(message)) return toText(message) ?? '';
  const { role, content, ...others } = message;
  const text = typeof content === 'string' ? content : stringifyJson(content ?? others);
  return `${typeof role === 'string' ? role : 'message'}: ${text}`;
}
