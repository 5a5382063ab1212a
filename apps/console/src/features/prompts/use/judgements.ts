import { type CallDto, isJsonObject } from '@hone/client';

import { REACTION } from '../../../shared/feedback/feedback.js';

/** What was said of some calls, and of which. */
export interface Judgements {
  readonly liked: readonly string[];
  readonly disliked: readonly string[];
  /** Mean of each rating, by its name. */
  readonly scores: readonly Score[];
}

export interface Score {
  readonly name: string;
  readonly mean: number;
  /** Calls that have it. */
  readonly ids: readonly string[];
}

/** Counts thumbs, and the ratings that people and judges gave. @param calls with their feedback */
export function judgementsOf(calls: readonly CallDto[]): Judgements {
  const [liked, disliked] = [new Set<string>(), new Set<string>()];
  const ratings = new Map<string, { sum: number; count: number; ids: Set<string> }>();
  for (const { id, summary } of calls) {
    for (const { feedback_type, payload, scorer_ratings } of feedbackOf(summary)) {
      const emoji = feedback_type === REACTION && isJsonObject(payload) ? payload['detoned'] : undefined;
      if (emoji === '👍') liked.add(id);
      if (emoji === '👎') disliked.add(id);
      for (const [name, rating] of Object.entries(isJsonObject(scorer_ratings) ? scorer_ratings : {})) {
        if (typeof rating !== 'number') continue;
        const before = ratings.get(name) ?? { sum: 0, count: 0, ids: new Set<string>() };
        before.ids.add(id);
        ratings.set(name, { sum: before.sum + rating, count: before.count + 1, ids: before.ids });
      }
    }
  }
  const scores = [...ratings].map(([name, { sum, count, ids }]) => ({ name, mean: sum / count, ids: [...ids] }));
  return { liked: [...liked], disliked: [...disliked], scores };
}

type Loose = Readonly<Record<string, unknown>>;

function feedbackOf(summary: unknown): readonly Loose[] {
  const hone = isJsonObject(summary) ? summary['hone'] : undefined;
  const list: unknown = isJsonObject(hone) ? hone['feedback'] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
