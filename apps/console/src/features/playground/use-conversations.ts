import { useRef, useState } from 'react';

import { fillMessages, type Variables } from '../../shared/prompts/prompt.js';
import { type Conversation, EMPTY, toMessages, type Turn, userTurn } from './conversation.js';
import type { Door } from './doors/door.js';

/** How models are asked. Fields that are not set are left to the server. */
export interface ChatSettings {
  /** What stands before the conversation; empty: nothing. */
  readonly system: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What is filled into all messages. */
  readonly variables: Variables;
  /** The form in which the gateway is asked. */
  readonly door: Door;
}

/**
 * Conversations of several models that are asked the same, each by its place. Answers appear as they are written.
 *
 * @param earlier what every conversation begins with
 */
export function useConversations(projectId: string, earlier: readonly Turn[]) {
  const [conversations, setConversations] = useState<readonly Conversation[]>([]);
  const stopping = useRef(new AbortController());

  const change = (at: number, to: (before: Conversation) => Conversation) =>
    setConversations((all) => {
      const changed = [...all];
      changed[at] = to(all[at] ?? EMPTY);
      return changed;
    });

  const askOne = async (
    at: number,
    model: string,
    asked: readonly Turn[],
    { system, parameters, variables, door }: ChatSettings,
  ) => {
    const { signal } = stopping.current;
    const messages = fillMessages(toMessages(system, asked), variables);
    const request = { messages, parameters, at: new Date().toISOString() };
    change(at, () => ({ ...EMPTY, turns: asked, isAnswering: true, asked: request }));
    try {
      const { fields } = door.toBody({ model, messages, parameters });
      const options = { signal, headers: { 'hone-project': projectId } };
      for await (const { turn, completionId } of door.answer(fields, options)) {
        const turns = [...asked, turn];
        change(at, (before) => ({ ...before, turns, completionId }));
      }
    } catch (error) {
      if (!signal.aborted) change(at, (before) => ({ ...before, error }));
    } finally {
      change(at, (before) => ({ ...before, isAnswering: false, answeredAt: new Date().toISOString() }));
    }
  };

  /** @param question '': asks for the answer to the last message */
  const ask = (models: readonly string[], question: string, settings: ChatSettings) => {
    stopping.current = new AbortController();
    const asked = question.trim() === '' ? [] : [userTurn(question)];
    for (const [at, model] of models.entries()) {
      void askOne(at, model, [...(conversations[at]?.turns ?? earlier), ...asked], settings);
    }
  };
  /** Asks one model for the next answer, after further turns. */
  const goOn = (at: number, model: string, turns: readonly Turn[], settings: ChatSettings) => {
    stopping.current = new AbortController();
    void askOne(at, model, [...(conversations[at]?.turns ?? []), ...turns], settings);
  };
  const stop = () => stopping.current.abort();
  const clear = () => {
    stop();
    setConversations([]);
  };
  return { conversations, ask, goOn, stop, clear };
}
