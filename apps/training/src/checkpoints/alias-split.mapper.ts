import type { AliasSplitDto, SplitShadowDto } from '@hone/contracts';

import type { AliasSplit } from './alias-split.record.js';
import { shareOfProduction } from './allocate-threads.js';

const NANO = 1e9;

export const toAliasSplit = (modelId: string, split: AliasSplit): AliasSplitDto => ({
  id: split.id,
  model_id: modelId,
  alias: split.alias,
  version: split.version,
  arms: split.arms.map(({ name, model, weight }) => ({ name, model, weight })),
  production_weight: shareOfProduction(split.ranges),
  shadow: toShadow(split),
  updated_at: split.updatedAt.toISOString(),
  updated_by: split.updatedBy,
});

function toShadow({ shadow, spentNanoUsd }: AliasSplit): SplitShadowDto | null {
  if (shadow === null) return null;
  const { model, share, maxCostUsdPerDay } = shadow;
  return { model, share, max_cost_usd_per_day: maxCostUsdPerDay, spent_usd_today: spentNanoUsd / NANO };
}
