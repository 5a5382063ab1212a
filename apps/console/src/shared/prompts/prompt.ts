import { isJsonObject, parseJson, stringifyJson } from '@hone/client';

import type { SentMessage } from '../chat/chat.js';

/** What a prompt object says. */
export interface Prompt {
  /** At least one. */
  readonly messages: readonly SentMessage[];
  /** Whether the gateway fills it in for requests that name it. */
  readonly isServed: boolean;
}

/** Values of variables, by their names. */
export type Variables = Readonly<Record<string, string>>;

/** The same as the gateway's: `{{name}}`, in texts of any member of a message. */
const VARIABLE = /\{\{ *([A-Za-z_][\w.-]*) *\}\}/g;
/** What marks a value as a prompt of messages for the interface and for SDKs. */
const CLASS_KEYS = {
  ...{ _type: 'MessagesPrompt', _class_name: 'MessagesPrompt', _bases: ['Prompt', 'Object', 'BaseModel'] },
};

/** Reads the value of an object: one with `messages`, or with a text, which is a system message. null: no prompt. */
export function readPrompt(value: unknown): Prompt | null {
  if (!isJsonObject(value)) return null;
  const { messages, content } = value;
  if (Array.isArray(messages)) {
    const list: readonly unknown[] = messages;
    return list.length > 0 && list.every(isMessage) ? { messages: list, isServed: true } : null;
  }
  if (typeof content !== 'string') return null;
  return { messages: [{ role: 'system', content }], isServed: isStringPrompt(value) };
}

const isMessage = (value: unknown): value is SentMessage => isJsonObject(value) && typeof value['role'] === 'string';

const isStringPrompt = (value: Readonly<Record<string, unknown>>): boolean =>
  value['_type'] === 'StringPrompt' || value['_class_name'] === 'StringPrompt';

/** A new prompt, as SDKs publish one of several messages. */
export const newPrompt = (name: string, messages: readonly SentMessage[]): Record<string, unknown> => ({
  ...{ ...CLASS_KEYS, name: name.trim(), description: null, messages },
});

/** The value with other messages; all else of it stays. A text stays one while it is all that there is. */
export function withMessages(value: unknown, messages: readonly SentMessage[]): Record<string, unknown> {
  const before = isJsonObject(value) ? value : {};
  // Weave reads no prompt of its class without these two.
  const named = { name: null, description: null };
  if (Array.isArray(before['messages'])) return { ...named, ...before, messages };
  const [only, ...more] = messages;
  const isText = more.length === 0 && only?.role === 'system' && typeof only['content'] === 'string';
  if (isText && Object.keys(only).length === 2 && isStringPrompt(before))
    return { ...before, content: only['content'] };
  const { content: _content, ...rest } = before;
  return { ...named, ...rest, ...CLASS_KEYS, messages };
}

/** Names of the variables, each once, in the order in which they stand. */
export function variablesOf(messages: readonly SentMessage[]): readonly string[] {
  return [...new Set([...stringifyJson(messages).matchAll(VARIABLE)].map(([, name]) => name as string))];
}

/** The messages with the variables that have a value filled in. What a value says is text, and not filled itself. */
export function fillMessages(messages: readonly SentMessage[], variables: Variables): readonly SentMessage[] {
  if (Object.keys(variables).length === 0) return messages;
  const json = stringifyJson(messages).replaceAll(VARIABLE, (found, name: string) =>
    Object.hasOwn(variables, name) ? JSON.stringify(variables[name]).slice(1, -1) : found,
  );
  return parseJson(json) as SentMessage[];
}

/** A piece of a text. */
export interface TextPiece {
  readonly text: string;
  /** Name of the variable that the piece is; null: it is none. */
  readonly variable: string | null;
}

/** A text cut at its variables. */
export function piecesOf(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(VARIABLE)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), variable: null });
    pieces.push({ text: match[0], variable: match[1] as string });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), variable: null });
  return pieces;
}
