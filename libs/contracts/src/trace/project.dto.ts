import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, MayOmit, Nested, type Rule } from '../validation/rule.js';
import { integerRule, IsFlag, IsInteger, IsTextList, IsWord } from '../validation/rules.js';

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

/** Path into a call: its part, then keys and indexes with dots between them; `*` is each of them. */
const REDACTED_PATH = '^(?:thread|output|(?:inputs|output|metadata)(?:\\.(?:\\*|[^.*]{1,128})){1,16})$';
const IS_REDACTED_PATH = new RegExp(REDACTED_PATH, 'u');
const MAX_PATHS = 50;
const MAX_PATTERNS = 20;

/** What the gateway removes from a chat before anything of it is stored: `[redacted]` stands in its place. */
export class RedactionDto {
  /**
   * Paths of values, at most 50: `inputs`, `output` or `metadata`, then keys and indexes with dots between them;
   * `*` is each key or index. For example `inputs.messages.*.name`. Also `output` and `thread`.
   */
  @IsTextList({
    maxItems: MAX_PATHS,
    max: 256,
    shape: {
      pattern: REDACTED_PATH,
      matches: (text) => IS_REDACTED_PATH.test(text),
      description: 'thread, inputs, output or metadata, then keys, indexes or *, with dots between them',
      examples: ['inputs.messages.*.name'],
    },
  })
  paths!: string[];
  /**
   * Regular expressions in the syntax of RE2, at most 20 of 512 characters. One that does not compile is a 422. What they match is removed from every text:
   * each value and key of its own, so that a match never spans two messages.
   */
  @IsTextList({ maxItems: MAX_PATTERNS, min: 1, max: 512 }) patterns!: string[];
}

/** What the gateway removes from chats, as it was set. */
export class StoredRedactionDto extends RedactionDto {}

/** Settings of what the gateway keeps of a project's chats. */
export class CallLoggingDto {
  /**
   * `full`: each chat is a call with its request and answer; `metadata`: without these; `off`: it is no call. A request may
   * lessen it by the header `Hone-Log`.
   */
  @IsWord(LOG_LEVELS) log_calls!: LogLevel;
  /** What calls are kept without. Null: nothing is removed. */
  @IsOptional() @Nested(() => StoredRedactionDto) redact!: StoredRedactionDto | null;
}

/** Body of `POST /project/call_logging/update`. */
@Example({
  project_id: 'acme/demo',
  log_calls: 'full',
  redact: { paths: ['inputs.user'], patterns: ['[a-z0-9.]+@[a-z0-9.]+'] },
})
export class CallLoggingUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** `full`, `metadata` or `off`; calls that are stored stay as they are. */
  @IsWord(LOG_LEVELS) log_calls!: LogLevel;
  /** What calls are kept without from now on. Null: nothing is removed. Absent: as before. */
  @IsOptional() @Nested(() => RedactionDto) redact?: RedactionDto | null;
}

/** How far the calls are that were stored before search was on. */
export class SearchBuildingDto {
  /** Calls that are searchable by now. */
  @IsInteger({ min: 0 }) done_calls!: number;
  /** Calls that there were when the work began. Null: not counted yet. */
  @IsOptional() @IsInteger({ min: 0 }) total_calls!: number | null;
}

const SEARCH_STATES = ['ready', 'building', 'off'] as const;

/** Whether words of the inputs and outputs of a project's calls are found by `$search`. */
export class CallSearchDto {
  /** Whether words of calls are indexed. A project that says nothing has them indexed. */
  @IsFlag() search!: boolean;
  /**
   * `ready`: all calls are searchable, but for those in `waiting_calls`; `building`: calls that were stored before are being
   * added, from the oldest id to the newest, and those that are missing are not found; `off`: `$search` is a 409.
   */
  @IsWord(SEARCH_STATES) state!: (typeof SEARCH_STATES)[number];
  /**
   * Writes of calls that are not searchable yet, counted up to 100,000. Most wait for less than a second; a query waits for
   * them for up to two.
   */
  @IsInteger({ min: 0, max: 100_000 }) waiting_calls!: number;
  /** Null: `state` is not `building`. */
  @IsOptional() @Nested(() => SearchBuildingDto) building!: SearchBuildingDto | null;
}

/** Body of `POST /project/search/update`. */
@Example({ project_id: 'acme/demo', search: false })
export class CallSearchUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Whether words of calls are indexed. False: what is indexed is deleted. True: calls that are stored are added in the
   * background.
   */
  @IsFlag() search!: boolean;
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
