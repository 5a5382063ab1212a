import type { Issue } from '@hone/contracts';

import type { NamedPrompt } from '../../call-log/call-entry.js';

/** A prompt object with its variables filled in. */
export interface FilledPrompt {
  /** At least one. */
  readonly messages: readonly Record<string, unknown>[];
  /** The same as JSON, with every digit. */
  readonly json: string;
  /** That it asks for; null: none. */
  readonly model: string | null;
  /** What its call says of it. */
  readonly use: NamedPrompt;
}

/**
 * Fills the prompt object that the fields of a body name.
 *
 * @returns null: they name none
 * @throws InvalidRequestError, PromptNotFoundError, BodyOverLimitError
 */
export type FillPrompt = (fields: Readonly<Record<string, unknown>>) => FilledPrompt | null | Promise<FilledPrompt>;

/**
 * Where an issue of a chat stands in the request, which does not have the messages of its prompt.
 *
 * @param count of the prompt's messages
 * @param begin messages before them
 */
export function withoutPrompt(loc: Issue['loc'], count: number, begin = 0): Issue['loc'] {
  const [at, field, index, ...rest] = loc;
  if (at !== 'body' || field !== 'messages' || typeof index !== 'number' || index < begin) return loc;
  return index < begin + count ? [at, 'prompt'] : [at, field, index - count, ...rest];
}
