import type { ChatCompletionChunk } from '@hone/client';

import type { ChatTurn, SentMessage } from '../../shared/chat/chat.js';
import { type Token, toTokens } from '../../shared/tokens/tokens.js';

export interface Turn extends ChatTurn {
  readonly tokens: readonly Token[];
  /** The message as it is sent. Absent: it is no more than its role and text. */
  readonly message?: SentMessage;
}

/** What a model was sent for its newest answer. */
export interface Asked {
  /** As they were sent: the system prompt first, where there is one. */
  readonly messages: readonly SentMessage[];
  readonly parameters: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly at: string;
}

/** What one model was asked, and how it answered. */
export interface Conversation {
  readonly turns: readonly Turn[];
  readonly error: unknown;
  /** Id of the newest answer, `chatcmpl-…`. */
  readonly completionId: string | null;
  readonly isAnswering: boolean;
  /** null: nothing yet. */
  readonly asked: Asked | null;
  /** When the newest answer ended, ISO 8601; null: there is none, or it is written. */
  readonly answeredAt: string | null;
}

export const EMPTY: Conversation = {
  ...{ turns: [], error: null, completionId: null, isAnswering: false, asked: null, answeredAt: null },
};

/** The messages that ask for the answer to the last of these turns. */
export const toMessages = (system: string, turns: readonly Turn[]): readonly SentMessage[] => [
  ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
  ...turns.map(({ role, text, message }) => message ?? { role, content: text }),
];

export const userTurn = (text: string): Turn => ({ role: 'user', text, tools: [], tokens: [] });

/** The first answer with what a chunk adds to it. */
export function withChunk(answer: Turn, { choices }: ChatCompletionChunk): Turn {
  const choice = choices.find(({ index }) => index === 0);
  const { content, reasoning, tool_calls: calls } = choice?.delta ?? {};
  const tools = [...answer.tools];
  for (const { index, function: called } of calls ?? []) {
    tools[index] =
      (tools[index] ?? '') + [called?.name && `${called.name} `, called?.arguments].filter(Boolean).join('');
  }
  return {
    ...answer,
    text: answer.text + (content ?? ''),
    ...(reasoning && { reasoning: (answer.reasoning ?? '') + reasoning }),
    tools,
    tokens: [...answer.tokens, ...(toTokens(choice) ?? [])],
  };
}
