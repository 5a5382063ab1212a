import { isJsonObject } from '@hone/contracts';

/** What a key says about the inference requests that come with it. */
export interface KeyAttributes {
  /** How absent fields of a chat completion are read; null: as the request says, else as OpenAI does. */
  chatDefaults: 'openai' | 'listed' | null;
  /** Smallest `priority` that its requests may have; lower runs first. */
  minPriority: number;
}

/** Reads the column: what is not there, or of no use, is as for a key without attributes. */
export function toKeyAttributes(column: unknown): KeyAttributes {
  const stored = isJsonObject(column) ? (column as Record<string, unknown>) : {};
  const { chat_defaults: chatDefaults, min_priority: minPriority } = stored;
  return {
    chatDefaults: chatDefaults === 'openai' || chatDefaults === 'listed' ? chatDefaults : null,
    minPriority: Number.isSafeInteger(minPriority) ? (minPriority as number) : 0,
  };
}
