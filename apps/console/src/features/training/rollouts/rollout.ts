import { type ChatTurn, toChat } from '../../../shared/chat/chat.js';
import { type Token, toTokens } from '../../../shared/tokens/tokens.js';

/** A message of a rollout; with the tokens of the model's own, where they were kept. */
export interface RolloutTurn extends ChatTurn {
  readonly tokens: readonly Token[] | null;
}

type Loose = Readonly<Record<string, unknown>>;

/** The conversation of a trajectory: messages, and Choices as the model answered. */
export function toTurns(trajectory: unknown): readonly RolloutTurn[] {
  const items = (trajectory as Loose | null)?.['messages_and_choices'];
  return (Array.isArray(items) ? items : []).flatMap((item: unknown) => {
    const message = isObject(item) && isObject(item['message']) ? item['message'] : item;
    return (toChat({ messages: [message] }, null) ?? []).map((turn) => ({ ...turn, tokens: toTokens(item) }));
  });
}

/** Id of the call that the trajectory was made of. Null: of none. */
export function callOf(trajectory: unknown): string | null {
  const metadata = (trajectory as Loose | null)?.['metadata'];
  const id = isObject(metadata) ? metadata['call_id'] : undefined;
  return typeof id === 'string' ? id : null;
}

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
