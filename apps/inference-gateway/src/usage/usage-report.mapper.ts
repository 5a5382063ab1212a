import type { UsageReportDto, UsageReportRowDto, UsageSumsDto } from '@hone/contracts';
import { writeCsv } from '@hone/contracts/csv';

import { toUsdText } from '../metering/records/cost.js';
import type { UsageQuery } from './usage-query.js';
import { addUp, type UsageGroupSums, type UsageSums } from './usage-sums.js';

const toSumsDto = (sums: UsageSums): UsageSumsDto => ({
  requests: sums.requests,
  errors: sums.errors,
  aborted: sums.aborted,
  prompt_tokens: sums.promptTokens,
  cached_tokens: sums.cachedTokens,
  completion_tokens: sums.completionTokens,
  reasoning_tokens: sums.reasoningTokens,
  cost_usd: toUsdText(sums.costNanoUsd),
  mean_latency_ms: sums.timed === 0 ? null : Math.round(sums.durationMs / sums.timed),
});

const toRowDto = ({ group, thenGroup, ...sums }: UsageGroupSums): UsageReportRowDto => ({
  group,
  ...(thenGroup !== null && { then_group: thenGroup }),
  ...toSumsDto(sums),
});

export const toUsageReportDto = (query: UsageQuery, rows: readonly UsageGroupSums[]): UsageReportDto => ({
  project: query.projectId,
  from: query.from.toISOString(),
  to: query.to.toISOString(),
  by: query.by,
  ...(query.thenBy !== null && { then_by: query.thenBy }),
  data: rows.map(toRowDto),
  total: toSumsDto(addUp(rows)),
});

/** CSV with a header line; the groups come first. */
export const toUsageCsv = ({ by, then_by, data }: UsageReportDto): string =>
  writeCsv([
    [by, ...(then_by === undefined ? [] : [then_by]), ...COLUMNS],
    ...data.map(({ group, then_group, ...sums }) => [
      group,
      ...(then_group === undefined ? [] : [then_group]),
      ...COLUMNS.map((name) => String(sums[name] ?? '')),
    ]),
  ]);

const COLUMNS = Object.keys(toSumsDto(addUp([]))) as (keyof UsageSumsDto)[];
