import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsNumber, IsText, IsWord } from '../validation/rules.js';
import { USAGE_GROUPS } from './usage-queries.dto.js';

/** Sums over requests. */
export class UsageSumsDto {
  /** All requests that began, those that failed or were aborted included. */
  @IsInteger({ min: 0 }) requests!: number;
  /** Requests that failed: they cost nothing and have no tokens. */
  @IsInteger({ min: 0 }) errors!: number;
  /** Requests whose caller closed the connection; what was produced until then is counted. */
  @IsInteger({ min: 0 }) aborted!: number;
  /** Tokens of the prompts. */
  @IsInteger({ min: 0 }) prompt_tokens!: number;
  /** Tokens of `prompt_tokens` that came from a cache. */
  @IsInteger({ min: 0 }) cached_tokens!: number;
  /** Tokens of the answers. */
  @IsInteger({ min: 0 }) completion_tokens!: number;
  /** Tokens of `completion_tokens` that the answers do not show as text. */
  @IsInteger({ min: 0 }) reasoning_tokens!: number;
  /** Decimal USD with 9 decimals, for example `0.000027000`; a text because it is exact. */
  @IsText() cost_usd!: string;
  /** Mean milliseconds from a request to the end of its answer, of those that ended well. Null: none did. */
  @IsOptional() @IsNumber({ min: 0 }) mean_latency_ms!: number | null;
}

/** Sums of one group. */
export class UsageReportRowDto extends UsageSumsDto {
  /** Start of the hour in ISO 8601, day as `YYYY-MM-DD`, id of the model that answered, id of the key, or id of its user. */
  @IsText() group!: string;
  /** The same of the second group that `then_by` asks for. Absent: none was asked for. */
  @MayOmit() @IsText() then_group?: string;
}

/** Answer of `GET /v1/usage`. */
export class UsageReportDto {
  /** `<entity>/<project>` whose usage this is. */
  @IsProjectId() project!: string;
  /** Start of the first hour that is counted: what was asked for, rounded down. */
  @IsDateTime() from!: string;
  /** End of the last hour that is counted: what was asked for, rounded up. */
  @IsDateTime() to!: string;
  /** What the rows are grouped by. */
  @IsWord([...USAGE_GROUPS]) by!: string;
  /** What the rows of each group are grouped by once more. Absent: nothing was asked for. */
  @MayOmit() @IsWord([...USAGE_GROUPS]) then_by?: string;
  /** One row for each group, or pair of groups, with requests, in the order of the groups. */
  @NestedList(() => UsageReportRowDto) data!: UsageReportRowDto[];
  /** Sums over all rows. */
  @Nested(() => UsageSumsDto) total!: UsageSumsDto;
}
