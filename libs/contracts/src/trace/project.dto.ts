import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, MayOmit, type Rule } from '../validation/rule.js';
import { integerRule, IsFlag, IsInteger, IsWord } from '../validation/rules.js';

/** A body that names a project, and no more. */
@Example({ project_id: 'acme/demo' })
export class OfProjectDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
}

/** Answer of `POST /project/stats`. */
export class ProjectStatsDto {
  /** Calls that are shown: not deleted, and with their start. */
  @IsInteger({ min: 0 }) call_count!: number;
  /** Bytes of the values of these calls as compact JSON. */
  @IsInteger({ min: 0 }) calls_size_bytes!: number;
  /** Live versions of objects. */
  @IsInteger({ min: 0 }) object_version_count!: number;
  /** Bytes of their values as canonical JSON. */
  @IsInteger({ min: 0 }) objects_size_bytes!: number;
  /** Tables, each with its rows in their order. */
  @IsInteger({ min: 0 }) table_count!: number;
  /** Bytes of their rows as canonical JSON; one that several tables hold counts once. */
  @IsInteger({ min: 0 }) tables_size_bytes!: number;
  /** Feedback records. */
  @IsInteger({ min: 0 }) feedback_count!: number;
  /** Number of files that are stored. */
  @IsInteger({ min: 0 }) file_count!: number;
  /** Bytes of the files. */
  @IsInteger({ min: 0 }) files_size_bytes!: number;
}

const DAYS = integerRule({ min: 1, max: 36_500 });
/** Null is a value here, and must be said. */
const DAYS_OR_NULL: Rule = {
  name: 'isDaysOrNull',
  issues: (value) => (value === null ? [] : DAYS.issues(value)),
  schema: { ...DAYS.schema, type: ['integer', 'null'] },
  coerce: (value) => (value === null ? null : DAYS.coerce?.(value)),
};

/** Settings of how long a project keeps its calls. */
export class RetentionDto {
  /** Days after which a call is deleted, counted from its start. Null: calls are kept. */
  @IsOptional() @IsInteger({ min: 1, max: 36_500 }) retention_days!: number | null;
  /** Calls that are older than that now, those without a start or deleted before included. Absent: no dry run. */
  @MayOmit() @IsInteger({ min: 0 }) expired_calls?: number;
  /** Bytes of the values of these calls. Absent: no dry run. */
  @MayOmit() @IsInteger({ min: 0 }) expired_size_bytes?: number;
}

/** How much of a chat the gateway keeps as a call, most first. */
export const LOG_LEVELS = ['full', 'metadata', 'off'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What is stored of a project as its level. A project that says nothing keeps all. */
export const toLogLevel = (stored: string | null | undefined): LogLevel =>
  LOG_LEVELS.find((level) => level === stored) ?? 'full';

/** Settings of what the gateway keeps of a project's chats. */
export class CallLoggingDto {
  /**
   * `full`: each chat is a call with its request and answer; `metadata`: without these; `off`: it is no call. A request may
   * lessen it by the header `Hone-Log`.
   */
  @IsWord(LOG_LEVELS) log_calls!: LogLevel;
}

/** Body of `POST /project/call_logging/update`. */
@Example({ project_id: 'acme/demo', log_calls: 'metadata' })
export class CallLoggingUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** `full`, `metadata` or `off`; calls that are stored stay as they are. */
  @IsWord(LOG_LEVELS) log_calls!: LogLevel;
}

/** Body of `POST /project/ttl_settings/update`. */
@Example({ project_id: 'acme/demo', retention_days: 90 })
export class RetentionUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Days after which a call is deleted, counted from its start, 1 to 36,500. Null: calls are kept. */
  @fromRule(DAYS_OR_NULL) retention_days!: number | null;
  /** Whether nothing is set or deleted, and what would be deleted is counted instead. Absent or null: false. */
  @IsOptional() @IsFlag() dry_run?: boolean | null;
}
