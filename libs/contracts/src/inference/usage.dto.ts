import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsText, IsWord } from '../validation/rules.js';

/** Sums over requests. */
export class UsageSumsDto {
  /** All that began; those that failed and those whose caller went away are among them. */
  @IsInteger({ min: 0 }) requests!: number;
  /** Failed: they cost nothing and have no tokens. */
  @IsInteger({ min: 0 }) errors!: number;
  /** The caller went away; what was produced until then is counted. */
  @IsInteger({ min: 0 }) aborted!: number;
  @IsInteger({ min: 0 }) prompt_tokens!: number;
  /** Those of `prompt_tokens` that came from a cache. */
  @IsInteger({ min: 0 }) cached_tokens!: number;
  @IsInteger({ min: 0 }) completion_tokens!: number;
  /** Those of `completion_tokens` that the answer does not show as text. */
  @IsInteger({ min: 0 }) reasoning_tokens!: number;
  /** Decimal USD with 9 places, for example `0.000027000`: exact, so no number. */
  @IsText() cost_usd!: string;
}

export class UsageReportRowDto extends UsageSumsDto {
  /** Start of the hour in ISO 8601, day as `YYYY-MM-DD`, id of the model that answered, or id of the key. */
  @IsText() group!: string;
}

/** Answer of `GET /v1/usage`. */
export class UsageReportDto {
  /** `<entity>/<project>`. */
  @IsProjectId() project!: string;
  /** Start of the first hour that is counted: what was asked for, rounded down. */
  @IsDateTime() from!: string;
  /** End of the last hour that is counted: what was asked for, rounded up. */
  @IsDateTime() to!: string;
  @IsWord(['hour', 'day', 'model', 'key']) by!: string;
  /** In the order of the groups; those without requests are left out. */
  @NestedList(() => UsageReportRowDto) data!: UsageReportRowDto[];
  @Nested(() => UsageSumsDto) total!: UsageSumsDto;
}
