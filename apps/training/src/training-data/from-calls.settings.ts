import type { TrainingDataFromCallsDto, TrainingDataKind } from '@hone/contracts';

import type { ArrangeSettings } from './arranging/arrange.js';
import type { CollectSettings } from './collector.js';
import { DEFAULT_RULES } from './rewards/reward-of.js';

const MAX_POLICY_STALENESS = 8;
const MIN_GROUP_SIZE = 2;

/** What a body says of each call by itself, defaults filled in. */
export const toCollectSettings = (body: TrainingDataFromCallsDto, kind: TrainingDataKind): CollectSettings => ({
  kind,
  rules: body.reward?.length ? body.reward : DEFAULT_RULES,
  peopleFirst: body.people_first ?? true,
  defaultReward: body.default_reward ?? null,
  corrections: body.corrections ?? 'prefer',
  minReward: body.accept?.min_reward ?? null,
  groupBy: body.group_by ?? 'prompt',
  limit: body.source.limit ?? null,
  dedupe: (kind === 'sft' || kind === 'distill') && (body.dedupe ?? true),
});

/** What it says of calls together. */
export const toArrangeSettings = (
  body: TrainingDataFromCallsDto,
  kind: TrainingDataKind,
  policy: { modelId: string; latestStep: number } | null,
  unknownModels: ReadonlySet<string>,
): ArrangeSettings => ({
  kind,
  pairing: { pairing: body.pairs ?? 'best_worst', minGap: body.min_gap ?? 0 },
  shares: body.split ?? { train: 1 },
  seed: body.seed ?? 0,
  minGroupSize: body.min_group_size ?? MIN_GROUP_SIZE,
  policy: policy && { ...policy, maxStaleness: body.max_policy_staleness ?? MAX_POLICY_STALENESS },
  unknownModels,
});
