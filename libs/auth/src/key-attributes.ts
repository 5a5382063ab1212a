import { isJsonObject } from '@hone/contracts';

/** What a key says about the inference requests that come with it. */
export interface KeyAttributes {
  /** How absent fields of a chat completion are read; null: as the request says, else as OpenAI does. */
  chatDefaults: 'openai' | 'listed' | null;
  /** Smallest `priority` that its requests may have; lower runs first. */
  minPriority: number;
  /** Names of models that its requests may have, as callers send them; null: all that its user may use. */
  models: readonly string[] | null;
}

/** Reads the column: what is not there, or of no use, is as for a key without attributes. */
export function toKeyAttributes(column: unknown): KeyAttributes {
  const stored = isJsonObject(column) ? (column as Record<string, unknown>) : {};
  const { chat_defaults: chatDefaults, min_priority: minPriority, models } = stored;
  return {
    chatDefaults: chatDefaults === 'openai' || chatDefaults === 'listed' ? chatDefaults : null,
    minPriority: Number.isSafeInteger(minPriority) ? (minPriority as number) : 0,
    models: Array.isArray(models) ? (models as string[]) : null,
  };
}

/** Whether requests with the key may name a model. */
export const allowsModel = ({ models }: Pick<KeyAttributes, 'models'>, name: string): boolean =>
  models === null || models.some((allowed) => standsFor(allowed, name));

/** Whether a name of models means one of them: a name that ends in `*` stands for all that begin so. */
export const standsFor = (named: string, model: string): boolean =>
  named.endsWith('*') ? model.startsWith(named.slice(0, -1)) : model === named;
