import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { IsQueryTime } from '../query/query-rules.js';
import { AcceptsUnknownFields, fromRule, MayOmit } from '../validation/rule.js';
import { wordRule } from '../validation/rules.js';

/** What the sums of a usage report are of. */
export const USAGE_GROUPS = ['hour', 'day', 'model', 'key', 'user'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const GROUP = {
  ...wordRule(USAGE_GROUPS),
  schema: { type: 'string', enum: [...USAGE_GROUPS], default: 'day' },
};
const SECOND_GROUP = { ...wordRule(USAGE_GROUPS), schema: { type: 'string', enum: [...USAGE_GROUPS] } };

/** Query of `GET /v1/usage`. */
@AcceptsUnknownFields()
export class UsageQueryDto {
  /** Project `<entity>/<project>` whose usage is asked for. Absent: the project of the key. */
  @MayOmit() @IsProjectId() project?: string;
  /** Start of the time that is counted, ISO 8601, included; rounded down to the hour. Absent: 30 days before `to`. */
  @MayOmit() @IsQueryTime() from?: string;
  /** End of the time that is counted, ISO 8601, excluded; rounded up to the hour. Absent: now. */
  @MayOmit() @IsQueryTime() to?: string;
  /** What the rows are grouped by; by the hour at most 92 days at once, else 3,660. Absent: by the day. */
  @MayOmit() @fromRule(GROUP) by?: UsageGroup;
  /**
   * What the rows of each group are grouped by once more, for example `model` within `day`; another one than `by`, with at
   * most 20,000 rows in all. Absent: nothing.
   */
  @MayOmit() @fromRule(SECOND_GROUP) then_by?: UsageGroup;
}

/** Query of `/v1/usage/limits`. */
@AcceptsUnknownFields()
export class UsageLimitsQueryDto {
  /** Project `<entity>/<project>` whose limits are meant. Absent, as is `key`: the project of the key in use. */
  @MayOmit() @IsProjectId() project?: string;
  /** Id of the key whose limits are meant, instead of a project's. Absent: those of the project. */
  @MayOmit() @IsUuid() key?: string;
}
