import type { ChoiceInput } from './trajectory-input.js';

/** One entry of `logprobs.content` or `.refusal`; both fields unread. */
interface LogprobEntry {
  readonly token?: unknown;
  readonly logprob?: unknown;
}

export interface ChoiceLogprobs {
  readonly field: 'content' | 'refusal';
  readonly entries: readonly (LogprobEntry | null)[];
}

/** Log-probabilities of a Choice, of its content or else of its refusal; null when it carries none. */
export function logprobsOf({ logprobs }: ChoiceInput): ChoiceLogprobs | null {
  if (typeof logprobs !== 'object' || logprobs === null) return null;
  for (const field of ['content', 'refusal'] as const) {
    const entries = (logprobs as Record<string, unknown>)[field];
    // An empty list carries no log-probabilities: the other field may hold the tokens.
    if (Array.isArray(entries) && entries.length > 0) return { field, entries };
  }
  return null;
}

/** Ids from token texts `token_id:<id>`; null unless every entry has one. */
export function idsOfTokenTexts({ entries }: ChoiceLogprobs): number[] | null {
  const ids = entries.map((entry) => /^token_id:(\d+)$/.exec(String(entry?.token))?.[1]);
  return ids.every((id) => id !== undefined) ? ids.map(Number) : null;
}
