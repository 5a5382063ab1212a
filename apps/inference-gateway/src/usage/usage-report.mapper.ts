import type { UsageReportDto, UsageReportRowDto, UsageSumsDto } from '@hone/contracts';

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

const toRowDto = ({ group, ...sums }: UsageGroupSums): UsageReportRowDto => ({ group, ...toSumsDto(sums) });

export const toUsageReportDto = (query: UsageQuery, rows: readonly UsageGroupSums[]): UsageReportDto => ({
  project: query.projectId,
  from: query.from.toISOString(),
  to: query.to.toISOString(),
  by: query.by,
  data: rows.map(toRowDto),
  total: toSumsDto(addUp(rows)),
});

/** CSV (RFC 4180) with a header line; the first column is the group. */
export function toUsageCsv({ by, data }: UsageReportDto): string {
  const lines = data.map(({ group, ...sums }) => [quoted(group), ...Object.values(sums)].join(','));
  return [`${by},${COLUMNS.join(',')}`, ...lines].map((line) => `${line}\r\n`).join('');
}

const COLUMNS = Object.keys(toSumsDto(addUp([])));

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
