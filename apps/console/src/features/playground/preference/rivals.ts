import { stringifyJson } from '@hone/client';

import type { Conversation } from '../conversation.js';

/** Ids of the newest answers of other models to the same messages, `chatcmpl-…`. None while one of them is written. */
export function rivalsOf(conversations: readonly Conversation[], at: number): readonly string[] {
  const answer = conversations[at];
  if (answer === undefined || conversations.some(({ isAnswering }) => isAnswering)) return [];
  const asked = textOf(answer);
  if (asked === null) return [];
  return conversations.flatMap((other, index) =>
    index === at || other.completionId === null || textOf(other) !== asked ? [] : [other.completionId],
  );
}

/** What was asked; null: there is no answer to it. */
const textOf = ({ asked, turns, completionId }: Conversation): string | null =>
  asked === null || completionId === null || turns.at(-1)?.role !== 'assistant' ? null : stringifyJson(asked.messages);
