import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { CallFilterDto } from '../trace/call-queries.dto.js';
import { CallConditionDto } from '../trace/query.dto.js';
import { AcceptsUnknownFields, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsNumber, IsText, IsWord } from '../validation/rules.js';
import { ScoringCountsDto, ScoringProblemDto } from './scorings.dto.js';

export const MONITOR_STATUSES = ['live', 'paused', 'budget_spent', 'failed'] as const;
export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

const MAX_USD = 1e6;

/** Body of `POST /evaluation/monitors`. */
@Example({
  project_id: 'acme/demo',
  name: 'helpful in production',
  scorer: 'helpful',
  filter: { trace_roots_only: true },
  sample_rate: 0.1,
  max_cost_usd_per_day: 2,
})
export class MonitorCreateDto {
  /** Project `<entity>/<project>` of scorer and calls. */
  @IsProjectId() project_id!: string;
  /** Name, 1 to 128 characters, unique in the project. */
  @IsText({ min: 1, max: 128 }) name!: string;
  /** The scorer: its ref, its id for the version that is the newest now, or `<id>:<version>`. */
  @IsText({ min: 1, max: 512 }) scorer!: string;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too, without `$search`. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /** Share of these calls that is judged, above 0, at most 1: drawn by a hash of monitor and call. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) sample_rate?: number | null;
  /** Most US dollars to spend on a day (UTC) beyond what is in flight, above 0. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: MAX_USD }) max_cost_usd_per_day?: number | null;
  /** Whether it judges nothing for now. Absent or null: false. */
  @IsOptional() @IsFlag() paused?: boolean | null;
}

/** Body of `PUT /evaluation/monitors/{monitor_id}`: what is absent stays. */
@Example({ paused: true })
export class MonitorUpdateDto {
  /** The scorer: its ref, its id for the version that is the newest now, or `<id>:<version>`. Absent or null: as before. */
  @IsOptional() @IsText({ min: 1, max: 512 }) scorer?: string | null;
  /** Share of the calls that is judged, above 0, at most 1. Absent or null: as before. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) sample_rate?: number | null;
  /** Most US dollars to spend on a day (UTC), above 0. Absent or null: as before. */
  @IsOptional() @IsNumber({ above: 0, max: MAX_USD }) max_cost_usd_per_day?: number | null;
  /** Whether it judges nothing for now. Absent or null: as before. */
  @IsOptional() @IsFlag() paused?: boolean | null;
}

/** What a monitor has done since midnight (UTC). */
export class MonitorDayDto {
  /** Calls by state. */
  @Nested(() => ScoringCountsDto) counts!: ScoringCountsDto;
  /** Why calls have no verdict, the most frequent reasons first, at most 20. */
  @NestedList(() => ScoringProblemDto) problems!: ScoringProblemDto[];
  /** Spent, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
}

/** A scorer that judges new calls as they come. */
@Example({
  id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  project_id: 'acme/demo',
  name: 'helpful in production',
  scorer: 'hone:///acme/demo/object/helpful:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  filter: null,
  query: null,
  sample_rate: 0.1,
  max_cost_usd_per_day: 2,
  status: 'live',
  error: null,
  today: null,
  created_at: '2026-01-15T10:00:05.000Z',
})
export class MonitorDto {
  /** Id of the monitor. */
  @IsUuid() id!: string;
  /** Project `<entity>/<project>`. */
  @IsText() project_id!: string;
  /** Name, unique in the project. */
  @IsText() name!: string;
  /** Ref of the scorer's version. */
  @IsText() scorer!: string;
  /** Which calls are meant. Null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter!: CallFilterDto | null;
  /** Condition that they meet, too. Null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query!: CallConditionDto | null;
  /** Share of these calls that is judged. */
  @IsNumber() sample_rate!: number;
  /** Most US dollars to spend on a day. Null: no limit of its own. */
  @IsOptional() @IsNumber() max_cost_usd_per_day!: number | null;
  /** `live`; `paused`; `budget_spent`: until midnight (UTC); `failed`: see `error`. */
  @IsWord(MONITOR_STATUSES) status!: MonitorStatus;
  /** Why it judges nothing today. Null: it does, or is paused. */
  @IsOptional() @IsText() error!: string | null;
  /** What it has done since midnight (UTC). Null: nothing. */
  @IsOptional() @Nested(() => MonitorDayDto) today!: MonitorDayDto | null;
  /** When it was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}

/** Query of `GET /evaluation/monitors`. */
@AcceptsUnknownFields()
export class MonitorsQueryDto {
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
}

/** Answer of `GET /evaluation/monitors`: all of the project, at most 50, by their names. */
export class MonitorListDto {
  /** The monitors of the project. */
  @NestedList(() => MonitorDto) monitors!: MonitorDto[];
}
