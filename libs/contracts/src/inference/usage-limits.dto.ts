import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { NestedList } from '../validation/rule.js';
import { IsInteger, IsNumber, IsText } from '../validation/rules.js';

/** Of a 32-bit column. */
const MAX_COUNT = 2_147_483_647;
/** So that billionths of it are integers that a double holds. */
const MAX_BUDGET_USD = 9_000_000;

/** Each is a few index lookups in every exchange of grants. */
const MAX_MODEL_BUDGETS = 20;

/** Budgets of some models in a body of `PUT /v1/usage/limits`: one of them at least. */
@Example({ model: 'gpt-*', daily_budget_usd: 1, monthly_budget_usd: 10 })
export class UsageModelBudgetPutDto {
  /**
   * Id of a model, 1 to 512 characters, as `GET /v1/models` lists it; of a trained model: its reference with the step. One that ends
   * in `*` stands for all that begin so. An alias counts as the model that it is for. No two entries have the same.
   */
  @IsText({ min: 1, max: 512 }) model!: string;
  /** USD per day of UTC, to the billionth, 0 to 9,000,000. Absent or null: not limited. */
  @IsOptional() @IsNumber({ min: 0, max: MAX_BUDGET_USD }) daily_budget_usd?: number | null;
  /** USD per month of UTC, to the billionth, 0 to 9,000,000. Absent or null: not limited. */
  @IsOptional() @IsNumber({ min: 0, max: MAX_BUDGET_USD }) monthly_budget_usd?: number | null;
}

/** Body of `PUT /v1/usage/limits`: all limits at once. What is absent or null is not limited; 0 lets nothing pass. */
@Example({
  requests_per_minute: 600,
  daily_budget_usd: 2,
  monthly_budget_usd: 25,
  model_budgets: [{ model: 'gpt-*', daily_budget_usd: 1 }],
})
export class UsageLimitsPutDto {
  /** Requests in a minute, 0 to 2,147,483,647. Absent or null: not limited. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_COUNT }) requests_per_minute?: number | null;
  /** Tokens of prompts and answers in a minute, 0 to 2,147,483,647. Absent or null: not limited. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_COUNT }) tokens_per_minute?: number | null;
  /** Requests that run at the same time, 0 to 2,147,483,647. Absent or null: not limited. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_COUNT }) concurrent_requests?: number | null;
  /** USD per day of UTC, to the billionth, 0 to 9,000,000. Absent or null: not limited. */
  @IsOptional() @IsNumber({ min: 0, max: MAX_BUDGET_USD }) daily_budget_usd?: number | null;
  /** USD per month of UTC, to the billionth, 0 to 9,000,000. Absent or null: not limited. */
  @IsOptional() @IsNumber({ min: 0, max: MAX_BUDGET_USD }) monthly_budget_usd?: number | null;
  /** Budgets of some models, at most 20, beside those of all. Absent or null: none. */
  @IsOptional() @NestedList(() => UsageModelBudgetPutDto, MAX_MODEL_BUDGETS) model_budgets?:
    UsageModelBudgetPutDto[] | null;
}

/** Budgets of some models, and what was spent on these. */
export class UsageModelBudgetDto {
  /** Id of a model; one that ends in `*` stands for all that begin so. */
  @IsText() model!: string;
  /** USD per day of UTC. Null: not limited. */
  @IsOptional() @IsNumber({ min: 0 }) daily_budget_usd!: number | null;
  /** USD per month of UTC. Null: not limited. */
  @IsOptional() @IsNumber({ min: 0 }) monthly_budget_usd!: number | null;
  /** Spent on these models in this month of UTC, as decimal USD with 9 decimals. */
  @IsText() spent_usd!: string;
  /** Spent on these models on this day of UTC, as `spent_usd`. */
  @IsText() spent_today_usd!: string;
}

/** The limits of a project or of a key. */
export class UsageLimitsDto {
  /** `<entity>/<project>`. Null: the limits are those of a key. */
  @IsOptional() @IsProjectId() project!: string | null;
  /** Id of the key. Null: the limits are those of a project. */
  @IsOptional() @IsUuid() key!: string | null;
  /** Requests in a minute. Null: not limited. */
  @IsOptional() @IsInteger({ min: 0 }) requests_per_minute!: number | null;
  /** Tokens of prompts and answers in a minute. Null: not limited. */
  @IsOptional() @IsInteger({ min: 0 }) tokens_per_minute!: number | null;
  /** Requests that run at the same time. Null: not limited. */
  @IsOptional() @IsInteger({ min: 0 }) concurrent_requests!: number | null;
  /** USD per day of UTC. Null: not limited. */
  @IsOptional() @IsNumber({ min: 0 }) daily_budget_usd!: number | null;
  /** USD per month of UTC. Null: not limited. */
  @IsOptional() @IsNumber({ min: 0 }) monthly_budget_usd!: number | null;
  /** Budgets of some models, in the order in which they were set. */
  @NestedList(() => UsageModelBudgetDto) model_budgets!: UsageModelBudgetDto[];
  /** Spent in this month of UTC, as decimal USD with 9 decimals; it follows the requests within a second. */
  @IsText() spent_usd!: string;
  /** Spent on this day of UTC, as `spent_usd`. */
  @IsText() spent_today_usd!: string;
}
