import { isJsonObject, JsonNumber } from '@hone/client';

import { RemoteBranch, RemoteText } from '../payload/large-payload.js';

/** A text, under the key that it has; of a value that is a text itself, the empty key. */
export interface KeyedText {
  readonly key: string;
  readonly text: string;
}

/** Objects with more keys are read as a tree. */
const MOST_KEYS = 12;

/**
 * The texts that a value is made of: itself, or the members of an object that has only texts, numbers and flags.
 * @returns null: it is made of other things, or too large
 */
export function textsOf(value: unknown): readonly KeyedText[] | null {
  const own = textOf(value);
  if (own !== null) return [{ key: '', text: own }];
  if (!isJsonObject(value) || value instanceof RemoteBranch || value instanceof RemoteText) return null;
  const members = Object.entries(value).map(([key, member]) => ({ key, text: textOf(member) }));
  if (members.length === 0 || members.length > MOST_KEYS) return null;
  return members.every((member): member is KeyedText => member.key !== '' && member.text !== null) ? members : null;
}

function textOf(value: unknown): string | null {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
