import { isJsonObject, parseJson } from '@hone/client';

import type { SentMessage } from '../chat/chat.js';
import { prettyJson } from '../format/preview.js';

/** A message while somebody edits it. */
export interface DraftMessage {
  /** Tells it from the others, however they are moved. */
  readonly key: string;
  readonly role: string;
  /** The content: a text as it is, all else as JSON. */
  readonly content: string;
  readonly isJson: boolean;
  /** What a content without a character is sent as: null beside tool calls, or nothing at all. */
  readonly empty: '' | null | undefined;
  /** All other members of the message, as a JSON object; '': none. */
  readonly others: string;
}

/** Roles that a chat has; any other one stays as it is. */
export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

export const newDraft = (role = 'user'): DraftMessage => ({
  ...{ key: crypto.randomUUID(), role, content: '', isJson: false, empty: '', others: '' },
});

export function toDraft({ role, ...members }: SentMessage): DraftMessage {
  const { content, ...others } = members;
  const isJson = typeof content !== 'string' && (content ?? null) !== null;
  return {
    ...newDraft(role),
    content: typeof content === 'string' ? content : isJson ? prettyJson(content) : '',
    isJson,
    empty: content === null || content === undefined ? content : '',
    others: Object.keys(others).length === 0 ? '' : prettyJson(others),
  };
}

/** @throws Error a sentence that says which message cannot be read */
export function toMessage({ role, content, isJson, empty, others }: DraftMessage, at: number): SentMessage {
  const members = others.trim() === '' ? {} : read(others, `The other members of message ${at + 1} are`);
  if (!isJsonObject(members)) throw new Error(`The other members of message ${at + 1} are no JSON object.`);
  const said = isJson ? read(content, `The content of message ${at + 1} is`) : content === '' ? empty : content;
  return { role, ...(said !== undefined && { content: said }), ...members };
}

function read(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${what} no JSON: ${(error as Error).message}.`, { cause: error });
  }
}

/** The messages as one text, by which two lists of them are compared. */
export const toComparedText = (messages: readonly SentMessage[]): string =>
  messages
    .map(({ role, content, ...others }) =>
      [
        `[${role}]`,
        typeof content === 'string' ? content : prettyJson(content ?? null),
        ...(Object.keys(others).length === 0 ? [] : [prettyJson(others)]),
      ].join('\n'),
    )
    .join('\n\n');

/** The list with one entry at another index. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const without = list.toSpliced(from, 1);
  return without.toSpliced(to, 0, list[from] as T);
};
