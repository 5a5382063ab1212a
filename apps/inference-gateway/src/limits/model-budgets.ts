import { valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import type { ModelBudget } from '../metering/limits/limits.js';

/** @throws ValidationError a name comes twice, or has no budget */
export function assertModelBudgets(budgets: readonly ModelBudget[]): void {
  const issues = budgets.flatMap(({ model, dailyBudgetNanoUsd, monthlyBudgetNanoUsd }, at) => {
    const loc = ['body', 'model_budgets', at];
    if (budgets.findIndex((other) => other.model === model) !== at)
      return [valueIssue('Each model should have one entry', [...loc, 'model'])];
    if (dailyBudgetNanoUsd === null && monthlyBudgetNanoUsd === null)
      return [valueIssue('Entry should have a daily or a monthly budget', loc)];
    return [];
  });
  if (issues.length > 0) throw new ValidationError(issues);
}
