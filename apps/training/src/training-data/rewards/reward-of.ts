import { parseFieldPath, valueAt } from '@hone/call-queries';
import {
  isJsonObject,
  type JsonValue,
  mappedNumber,
  parseJson,
  type RewardRuleDto,
  withoutScheme,
} from '@hone/contracts';

import { grouped } from '../grouped.js';
import type { Judgement } from '../source/source-call.js';

/** How the judgements on a call become its reward. */
export interface RewardSettings {
  readonly rules: readonly RewardRuleDto[];
  readonly peopleFirst: boolean;
  /** Null: a call without a number has no reward. */
  readonly defaultReward: number | null;
}

/** Reactions, where a body has no rules of its own. */
export const DEFAULT_RULES: readonly RewardRuleDto[] = [{ feedback_type: 'hone.reaction.1' }];

/** A thumb in any skin tone, without it. */
const THUMBS: ReadonlyMap<string, number> = new Map([
  ['👍', 1],
  ['👎', 0],
]);

/**
 * The mean of the rules that have a number for the call, by their weights.
 *
 * @param judgements oldest first
 * @returns null: there is none
 */
export function rewardOf(judgements: readonly Judgement[], settings: RewardSettings): number | null {
  const { rules, peopleFirst, defaultReward } = settings;
  const counted = judgements.flatMap((judgement) => {
    const payload = payloadOf(judgement);
    return rules.flatMap((rule, index) => {
      const value = isOf(rule, judgement) ? numberOf(rule, judgement, payload) : undefined;
      return value === undefined ? [] : [{ index, value, isPerson: judgement.runnableRef === null }];
    });
  });
  const people = peopleFirst ? counted.filter(({ isPerson }) => isPerson) : [];
  const byRule = grouped(people.length > 0 ? people : counted, ({ index }) => index);
  let [sum, weights] = [0, 0];
  for (const [index, found] of [...byRule].sort(([a], [b]) => a - b)) {
    const { weight, reduce } = rules[index] as RewardRuleDto;
    sum +=
      (weight ?? 1) *
      reduced(
        found.map(({ value }) => value),
        reduce ?? 'mean',
      );
    weights += weight ?? 1;
  }
  const reward = weights > 0 ? sum / weights : defaultReward;
  return reward !== null && Number.isFinite(reward) ? reward : null;
}

function reduced(values: readonly number[], how: NonNullable<RewardRuleDto['reduce']>): number {
  switch (how) {
    case 'last':
      return values.at(-1) as number;
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'mean':
      return values.reduce((sum, value) => sum + value, 0) / values.length;
  }
}

function payloadOf({ payload }: Judgement): JsonValue {
  return payload === null ? null : parseJson(payload);
}

const ANY_VERSION = ':*';

function isOf({ feedback_type, scorer }: RewardRuleDto, judgement: Judgement): boolean {
  if (feedback_type && feedback_type !== judgement.feedbackType) return false;
  if (!scorer || scorer === judgement.svcUserId) return true;
  const { runnableRef } = judgement;
  if (runnableRef === null) return false;
  const bare = scorer.includes(':///') ? withoutScheme(scorer) : scorer;
  return bare.endsWith(ANY_VERSION) ? runnableRef.startsWith(bare.slice(0, -1)) : runnableRef === bare;
}

/** The number that a rule finds in a judgement; undefined: none. */
function numberOf(
  rule: RewardRuleDto,
  { feedbackType, tags, ratings }: Judgement,
  payload: JsonValue,
): number | undefined {
  const { path, rating, tag, map } = rule;
  if (tag) return tags.includes(tag) ? mappedNumber(tag, map, 1) : undefined;
  if (rating) return Object.hasOwn(ratings, rating) ? mappedNumber(ratings[rating] as number, map) : undefined;
  if (path) {
    const { column, path: rest } = parseFieldPath(path);
    return mappedNumber(valueAt(payload, [column, ...rest]) as JsonValue, map);
  }
  if (feedbackType === 'hone.reaction.1') return ofReaction(payload, map);
  if (feedbackType.startsWith('hone.annotation.')) return mappedNumber(valueAt(payload, ['value']) as JsonValue, map);
  return feedbackType.startsWith('hone.runnable.')
    ? mappedNumber(valueAt(payload, ['output']) as JsonValue, map)
    : undefined;
}

function ofReaction(payload: JsonValue, map: RewardRuleDto['map']): number | undefined {
  if (!isJsonObject(payload)) return undefined;
  const names = [payload['emoji'], payload['detoned'], payload['alias'], payload['detoned_alias']];
  const texts = names.filter((name) => typeof name === 'string');
  if (map) return texts.map((text) => mappedNumber(text, map)).find((value) => value !== undefined);
  return texts.map((text) => THUMBS.get(text)).find((value) => value !== undefined);
}
