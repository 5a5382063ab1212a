import { toNanoUsd, toUsd } from '@hone/calls';
import type { UsageLimitsDto, UsageLimitsPutDto, UsageModelBudgetDto, UsageModelBudgetPutDto } from '@hone/contracts';

import type { Limits, ModelBudget } from '../metering/limits/limits.js';
import { toUsdText } from '../metering/records/cost.js';
import type { NamedSubject, Spent, SubjectSpent } from './limited-subject.js';

export const toLimits = (body: UsageLimitsPutDto): Limits => ({
  requestsPerMinute: body.requests_per_minute ?? null,
  tokensPerMinute: body.tokens_per_minute ?? null,
  concurrentRequests: body.concurrent_requests ?? null,
  dailyBudgetNanoUsd: orNull(body.daily_budget_usd, toNanoUsd),
  monthlyBudgetNanoUsd: orNull(body.monthly_budget_usd, toNanoUsd),
  modelBudgets: (body.model_budgets ?? []).map(toModelBudget),
});

const toModelBudget = (entry: UsageModelBudgetPutDto): ModelBudget => ({
  model: entry.model,
  dailyBudgetNanoUsd: orNull(entry.daily_budget_usd, toNanoUsd),
  monthlyBudgetNanoUsd: orNull(entry.monthly_budget_usd, toNanoUsd),
});

export const toUsageLimitsDto = (named: NamedSubject, limits: Limits, spent: SubjectSpent): UsageLimitsDto => ({
  project: named.project,
  key: named.key,
  requests_per_minute: limits.requestsPerMinute,
  tokens_per_minute: limits.tokensPerMinute,
  concurrent_requests: limits.concurrentRequests,
  daily_budget_usd: orNull(limits.dailyBudgetNanoUsd, toUsd),
  monthly_budget_usd: orNull(limits.monthlyBudgetNanoUsd, toUsd),
  model_budgets: limits.modelBudgets.map((budget) => toModelBudgetDto(budget, spent.onModels.get(budget.model))),
  ...toSpentTexts(spent),
});

const toModelBudgetDto = (budget: ModelBudget, spent: Spent | undefined): UsageModelBudgetDto => ({
  model: budget.model,
  daily_budget_usd: orNull(budget.dailyBudgetNanoUsd, toUsd),
  monthly_budget_usd: orNull(budget.monthlyBudgetNanoUsd, toUsd),
  ...toSpentTexts(spent ?? { inMonth: 0n, today: 0n }),
});

const toSpentTexts = ({ inMonth, today }: Spent) => ({
  spent_usd: toUsdText(inMonth),
  spent_today_usd: toUsdText(today),
});

const orNull = (amount: number | null | undefined, convert: (amount: number) => number): number | null =>
  amount === null || amount === undefined ? null : convert(amount);
