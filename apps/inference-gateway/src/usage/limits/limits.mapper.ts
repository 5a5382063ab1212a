import type { UsageLimitsDto, UsageLimitsPutDto } from '@hone/contracts';

import { NANO_USD_PER_USD, toUsdText } from '../cost.js';
import type { NamedSubject } from './limited-subject.js';
import type { Limits } from './limits.js';

export const toLimits = (body: UsageLimitsPutDto): Limits => ({
  requestsPerMinute: body.requests_per_minute ?? null,
  tokensPerMinute: body.tokens_per_minute ?? null,
  concurrentRequests: body.concurrent_requests ?? null,
  monthlyBudgetNanoUsd: toNano(body.monthly_budget_usd ?? null),
});

export const toUsageLimitsDto = (named: NamedSubject, limits: Limits, spentNanoUsd: bigint): UsageLimitsDto => ({
  project: named.project,
  key: named.key,
  requests_per_minute: limits.requestsPerMinute,
  tokens_per_minute: limits.tokensPerMinute,
  concurrent_requests: limits.concurrentRequests,
  monthly_budget_usd: limits.monthlyBudgetNanoUsd === null ? null : limits.monthlyBudgetNanoUsd / NANO_USD_PER_USD,
  spent_usd: toUsdText(spentNanoUsd),
});

const toNano = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * NANO_USD_PER_USD));
