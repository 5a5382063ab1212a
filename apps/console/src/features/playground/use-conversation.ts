import type { ChatMessage } from '@hone/client';
import { useRef, useState } from 'react';

import { hone } from '../../shared/data/hone.js';

/** How a model is asked. Fields that are not set are left to the server. */
export interface ChatSettings {
  readonly model: string;
  readonly temperature?: number;
  readonly max_tokens?: number;
}

interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A conversation with a model, whose answers appear as they are written. */
export function useConversation(projectId: string) {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [callId, setCallId] = useState<string | null>(null);
  const [isAnswering, setIsAnswering] = useState(false);
  const stopping = useRef<AbortController | null>(null);

  const ask = async (settings: ChatSettings, question: string) => {
    const asked: readonly Turn[] = [...turns, { role: 'user', content: question }];
    const controller = new AbortController();
    stopping.current = controller;
    setError(null);
    setCallId(null);
    setIsAnswering(true);
    setTurns(asked);
    try {
      let answer = '';
      const options = { signal: controller.signal, headers: { 'hone-project': projectId } };
      const body = { ...settings, messages: asked as unknown as ChatMessage[] };
      for await (const { id, choices } of hone.inference.streamChatCompletion(body, options)) {
        answer += choices[0]?.delta.content ?? '';
        setTurns([...asked, { role: 'assistant', content: answer }]);
        setCallId(id.replace(/^chatcmpl-/, ''));
      }
    } catch (caught) {
      if (!controller.signal.aborted) setError(caught);
    } finally {
      setIsAnswering(false);
    }
  };
  const stop = () => stopping.current?.abort();
  const clear = () => {
    stop();
    setTurns([]);
    setError(null);
    setCallId(null);
  };
  return { turns, error, callId, isAnswering, ask, stop, clear };
}
