import { isJsonObject } from '@hone/client';

import { type ChatTurn, toChat } from '../../../shared/chat/chat.js';
import { toTokens } from '../../../shared/tokens/tokens.js';

type Loose = Readonly<Record<string, unknown>>;

/** The conversation of a trajectory: messages, and Choices as the model answered, with their tokens where these were kept. */
export function toTurns(trajectory: unknown): readonly ChatTurn[] {
  const items = (trajectory as Loose | null)?.['messages_and_choices'];
  return (Array.isArray(items) ? items : []).flatMap((item: unknown) => {
    const message = isJsonObject(item) && isJsonObject(item['message']) ? item['message'] : item;
    return (toChat({ messages: [message] }, null) ?? []).map((turn) => ({ ...turn, tokens: toTokens(item) }));
  });
}

/** Id of the call that the trajectory was made of. Null: of none. */
export function callOf(trajectory: unknown): string | null {
  const metadata = (trajectory as Loose | null)?.['metadata'];
  const id = isJsonObject(metadata) ? metadata['call_id'] : undefined;
  return typeof id === 'string' ? id : null;
}
