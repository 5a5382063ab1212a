import type { ChatCompletionChunk } from '@hone/client';

import type { ChatTurn, SentMessage } from '../../shared/chat/chat.js';
import { type Token, toTokens } from '../../shared/tokens/tokens.js';

/** A tool that a model calls. */
export interface ToolCall {
  /** '': the model gave none. */
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

export interface Turn extends ChatTurn {
  /** Of an answer: what its `tools` are. Absent: it calls none. */
  readonly calls?: readonly ToolCall[];
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
  ...turns.map(toSent),
];

/** A turn as it is sent: an answer that calls tools has these, so that their results can follow. */
export function toSent({ role, text, message, calls = [] }: Turn): SentMessage {
  if (message) return message;
  if (calls.length === 0) return { role, content: text };
  const tool_calls = calls.map((call, at) => ({
    ...{ id: callIdOf(call, at), type: 'function' },
    function: { name: call.name, arguments: call.arguments },
  }));
  return { role, content: text === '' ? null : text, tool_calls };
}

/** By which the result of a call is told from those of others. */
export const callIdOf = ({ id }: ToolCall, at: number): string => id || `call_${at}`;

/** The results of the tools that an answer calls, as turns. @param results of each call, in order */
export const resultTurns = (calls: readonly ToolCall[], results: readonly string[]): readonly Turn[] =>
  calls.map((call, at) => {
    const text = results[at] ?? '';
    const message = { role: 'tool', tool_call_id: callIdOf(call, at), content: text };
    return { role: 'tool', text, tools: [], tokens: [], message };
  });

/** An answer with what is added to its call of a tool. @param at index of the call */
export function withCall(turn: Turn, at: number, piece: Partial<ToolCall>): Turn {
  const length = Math.max(at + 1, turn.calls?.length ?? 0);
  const calls = Array.from({ length }, (_, index): ToolCall => {
    const before = turn.calls?.[index] ?? { id: '', name: '', arguments: '' };
    if (index !== at) return before;
    return {
      id: before.id || (piece.id ?? ''),
      name: before.name + (piece.name ?? ''),
      arguments: before.arguments + (piece.arguments ?? ''),
    };
  });
  return { ...turn, calls, tools: calls.map((call) => `${call.name} ${call.arguments}`) };
}

export const userTurn = (text: string): Turn => ({ role: 'user', text, tools: [], tokens: [] });

/** The first answer with what a chunk adds to it. */
export function withChunk(answer: Turn, { choices }: ChatCompletionChunk): Turn {
  const choice = choices.find(({ index }) => index === 0);
  const { content, reasoning, tool_calls: calls } = choice?.delta ?? {};
  let called = answer;
  for (const { index, id, function: piece } of calls ?? [])
    called = withCall(called, index, { id: id ?? '', name: piece?.name ?? '', arguments: piece?.arguments ?? '' });
  return {
    ...called,
    text: answer.text + (content ?? ''),
    ...(reasoning && { reasoning: (answer.reasoning ?? '') + reasoning }),
    tokens: [...answer.tokens, ...(toTokens(choice) ?? [])],
  };
}
