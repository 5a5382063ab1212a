import { useMemo, useState } from 'react';

import { toTurn } from '../../../shared/chat/chat.js';
import { type DraftMessage, toDraft, toMessage } from '../../../shared/messages/draft.js';
import { toSent, type Turn } from '../conversation.js';

/** The messages that a conversation begins with, as somebody edits them. */
export interface Earlier {
  readonly drafts: readonly DraftMessage[];
  readonly setDrafts: (drafts: readonly DraftMessage[]) => void;
  /** Begins with other ones. */
  readonly setTurns: (turns: readonly Turn[]) => void;
  /** None while a message cannot be read. */
  readonly turns: readonly Turn[];
  /** Which message cannot be read, and why; null: all can. */
  readonly problem: string | null;
}

export function useEarlier(given: readonly Turn[]): Earlier {
  const [drafts, setDrafts] = useState<readonly DraftMessage[]>(() => toDrafts(given));
  const read = useMemo(() => readDrafts(drafts), [drafts]);
  return { drafts, setDrafts, setTurns: (turns) => setDrafts(toDrafts(turns)), ...read };
}

const toDrafts = (turns: readonly Turn[]): readonly DraftMessage[] => turns.map(toSent).map(toDraft);

function readDrafts(drafts: readonly DraftMessage[]): Pick<Earlier, 'turns' | 'problem'> {
  try {
    const messages = drafts.map(toMessage);
    return { turns: messages.map((message) => ({ ...toTurn(message), tokens: [], message })), problem: null };
  } catch (error) {
    return { turns: [], problem: (error as Error).message };
  }
}
