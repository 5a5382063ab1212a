import type { CallDto } from '@hone/client';

import { type ChatTurn, toChat } from '../chat/chat.js';

/** One turn of a conversation: what was said since the turn before, or the values of a call that is no chat. */
export interface Turn {
  readonly callId: string;
  readonly startedAt: string;
  readonly exception: string | null;
  /** null: the call is no chat. */
  readonly chat: readonly ChatTurn[] | null;
  readonly inputs: unknown;
  readonly output: unknown;
}

/**
 * The turns in their order. Chats send all that was said before again: only messages after those of the turn before are
 * shown. @param calls the calls that no other call of the conversation made, oldest first
 */
export function toTurns(calls: readonly CallDto[]): Turn[] {
  let before: readonly ChatTurn[] = [];
  return calls.map(({ id, started_at, exception, inputs, output }) => {
    const whole = toChat(inputs, output);
    const chat = whole && withoutHistory(whole, before);
    if (whole) before = whole;
    return { callId: id, startedAt: started_at ?? '', exception: exception ?? null, chat, inputs, output };
  });
}

function withoutHistory(turns: readonly ChatTurn[], history: readonly ChatTurn[]): readonly ChatTurn[] {
  const isHistory = history.length < turns.length && history.every((turn, index) => isSame(turn, turns[index]));
  return isHistory ? turns.slice(history.length) : turns;
}

const isSame = (a: ChatTurn, b: ChatTurn | undefined): boolean =>
  a.role === b?.role && a.text === b.text && a.tools.join('\n') === b.tools.join('\n');

/** Calls that no other one of these made. */
export function rootsOf(calls: readonly CallDto[]): CallDto[] {
  const ids = new Set(calls.map(({ id }) => id));
  return calls.filter(({ parent_id }) => !parent_id || !ids.has(parent_id));
}
