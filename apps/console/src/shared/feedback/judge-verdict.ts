import { isJsonObject, type VerdictDto } from '@hone/client';

import type { Feedback } from './feedback.js';

/** What a scorer of the server found, as its feedback has it; null: it is of another form, as those of SDKs. */
export function verdictOf({
  payload,
  scorer_tags,
}: Pick<Feedback, 'payload' | 'scorer_tags'>): Omit<VerdictDto, 'call_id' | 'cost_usd'> | null {
  const { output } = payload;
  if (!isJsonObject(output)) return null;
  const { reason, spread, orders, tags: _said, ...values } = output;
  const ratings = numbersIn(values);
  if (Object.keys(ratings).length === 0 && scorer_tags.length === 0 && typeof reason !== 'string') return null;
  return {
    ...{ state: 'done', code: null, ratings, tags: [...scorer_tags] },
    reason: typeof reason === 'string' ? reason : null,
    spread: isJsonObject(spread) ? numbersIn(spread) : null,
    details: Array.isArray(orders) ? { orders } : null,
  };
}

const numbersIn = (values: Readonly<Record<string, unknown>>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
