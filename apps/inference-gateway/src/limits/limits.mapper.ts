import type { UsageLimitsDto, UsageLimitsPutDto } from '@hone/contracts';

import type { Limits } from '../metering/limits/limits.js';
import { toNanoUsd, toUsd, toUsdText } from '../metering/records/cost.js';
import type { NamedSubject, Spent } from './limited-subject.js';

export const toLimits = (body: UsageLimitsPutDto): Limits => ({
  requestsPerMinute: body.requests_per_minute ?? null,
  tokensPerMinute: body.tokens_per_minute ?? null,
  concurrentRequests: body.concurrent_requests ?? null,
  dailyBudgetNanoUsd: orNull(body.daily_budget_usd, toNanoUsd),
  monthlyBudgetNanoUsd: orNull(body.monthly_budget_usd, toNanoUsd),
});

export const toUsageLimitsDto = (named: NamedSubject, limits: Limits, spent: Spent): UsageLimitsDto => ({
  project: named.project,
  key: named.key,
  requests_per_minute: limits.requestsPerMinute,
  tokens_per_minute: limits.tokensPerMinute,
  concurrent_requests: limits.concurrentRequests,
  daily_budget_usd: orNull(limits.dailyBudgetNanoUsd, toUsd),
  monthly_budget_usd: orNull(limits.monthlyBudgetNanoUsd, toUsd),
  spent_usd: toUsdText(spent.inMonth),
  spent_today_usd: toUsdText(spent.today),
});

const orNull = (amount: number | null | undefined, convert: (amount: number) => number): number | null =>
  amount === null || amount === undefined ? null : convert(amount);
