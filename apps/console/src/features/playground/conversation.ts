import type { ChatCompletionChunk } from '@hone/client';

import type { ChatTurn } from '../../shared/chat/chat.js';
import { type Token, toTokens } from '../../shared/tokens/tokens.js';

export interface Turn extends ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly tokens: readonly Token[];
}

/** What one model was asked, and how it answered. */
export interface Conversation {
  readonly turns: readonly Turn[];
  readonly error: unknown;
  /** Id of the newest answer, `chatcmpl-…`. */
  readonly completionId: string | null;
  readonly isAnswering: boolean;
}

export const EMPTY: Conversation = { turns: [], error: null, completionId: null, isAnswering: false };

export const userTurn = (text: string): Turn => ({ role: 'user', text, tools: [], tokens: [] });

/** The answer with what a chunk adds to it. */
export function withChunk(answer: Turn, { choices }: ChatCompletionChunk): Turn {
  const choice = choices[0];
  const { content, tool_calls: calls } = choice?.delta ?? {};
  const tools = [...answer.tools];
  for (const { index, function: called } of calls ?? []) {
    tools[index] =
      (tools[index] ?? '') + [called?.name && `${called.name} `, called?.arguments].filter(Boolean).join('');
  }
  return {
    ...answer,
    text: answer.text + (content ?? ''),
    tools,
    tokens: [...answer.tokens, ...(toTokens(choice) ?? [])],
  };
}
