import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { IsInteger, IsNumber, IsText } from '../validation/rules.js';

/** Of a 32-bit column. */
const MAX_COUNT = 2_147_483_647;
/** So that billionths of it are integers that a double holds. */
const MAX_BUDGET_USD = 9_000_000;

/** Body of `PUT /v1/usage/limits`: all limits at once. What is absent or null is not limited; 0 lets nothing pass. */
@Example({ requests_per_minute: 600, monthly_budget_usd: 25 })
export class UsageLimitsPutDto {
  @IsOptional() @IsInteger({ min: 0, max: MAX_COUNT }) requests_per_minute?: number | null;
  /** Of prompts and answers. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_COUNT }) tokens_per_minute?: number | null;
  /** Requests that run at once. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_COUNT }) concurrent_requests?: number | null;
  /** Per month of UTC, to the billionth of a USD. */
  @IsOptional() @IsNumber({ min: 0, max: MAX_BUDGET_USD }) monthly_budget_usd?: number | null;
}

/** The limits of a project or of a key; null: not limited. */
export class UsageLimitsDto {
  /** `<entity>/<project>`; null: they are a key's. */
  @IsOptional() @IsProjectId() project!: string | null;
  /** Id of the key; null: they are a project's. */
  @IsOptional() @IsUuid() key!: string | null;
  @IsOptional() @IsInteger({ min: 0 }) requests_per_minute!: number | null;
  @IsOptional() @IsInteger({ min: 0 }) tokens_per_minute!: number | null;
  @IsOptional() @IsInteger({ min: 0 }) concurrent_requests!: number | null;
  @IsOptional() @IsNumber({ min: 0 }) monthly_budget_usd!: number | null;
  /** In this month of UTC, as decimal USD with 9 places; the sums follow the requests within a second. */
  @IsText() spent_usd!: string;
}
