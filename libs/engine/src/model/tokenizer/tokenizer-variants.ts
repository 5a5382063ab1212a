import { isJsonObject } from '@hone/json';

import type { TokenizerFile } from './tokenizer-file.js';

/**
 * The same tokenizer without its control tokens. Taking them out of the added tokens is not enough: with
 * `ignore_merges` a vocabulary entry that equals a whole word becomes that token.
 */
export function withoutControlTokens({ json, vocabulary, addedTokens }: TokenizerFile): Record<string, unknown> {
  const model = json.model as Record<string, unknown>;
  const special = new Set(addedTokens.filter((token) => token.special).map(({ content }) => content));
  const added = (json.added_tokens ?? []) as { content: string }[];
  // The unknown token must stay in the vocabulary.
  const texts = Object.entries(vocabulary).filter(([entry]) => !special.has(entry) || entry === model.unk_token);
  return {
    ...json,
    added_tokens: added.filter(({ content }) => !special.has(content)),
    model: { ...model, vocab: Object.fromEntries(texts) },
  };
}

/**
 * The same tokenizer for text that does not begin the input, or null if there is no difference: with
 * `prepend_scheme: first` only the beginning gets a blank put before it.
 */
export function withoutPrefixBlank(json: Record<string, unknown>): Record<string, unknown> | null {
  const changed = changePrependScheme(json.pre_tokenizer);
  return JSON.stringify(changed) === JSON.stringify(json.pre_tokenizer) ? null : { ...json, pre_tokenizer: changed };
}

function changePrependScheme(part: unknown): unknown {
  if (!isJsonObject(part)) return part;
  if (Array.isArray(part.pretokenizers)) {
    return { ...part, pretokenizers: part.pretokenizers.map(changePrependScheme) };
  }
  return part.prepend_scheme === 'first' ? { ...part, prepend_scheme: 'never' } : part;
}
