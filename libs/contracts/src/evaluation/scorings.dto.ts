import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { CallFilterDto } from '../trace/call-queries.dto.js';
import { CallConditionDto } from '../trace/query.dto.js';
import { AcceptsUnknownFields, MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

export const SCORING_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled', 'budget_spent'] as const;
export type ScoringStatus = (typeof SCORING_STATUSES)[number];

const MAX_CALLS = 100_000;

/** Body of `POST /evaluation/scorings`. */
@Example({
  project_id: 'acme/demo',
  scorer: 'helpful',
  filter: { trace_roots_only: true },
  limit: 200,
  max_cost_usd: 1.5,
})
export class ScoringCreateDto {
  /** Project `<entity>/<project>` of scorer and calls. */
  @IsProjectId() project_id!: string;
  /** The scorer: its ref, its id for the newest version, or `<id>:<version>`. */
  @IsText({ min: 1, max: 512 }) scorer!: string;
  /** Ids of the calls, at most 1,000. Absent or null: `filter` and `query` say which. */
  @IsOptional() @IsTextList({ min: 1, max: 128, maxItems: 1_000 }) call_ids?: string[] | null;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /** Most calls, the newest first, 1 to 100,000. Absent or null: 1,000. */
  @IsOptional() @IsInteger({ min: 1, max: MAX_CALLS }) limit?: number | null;
  /** Most US dollars to spend beyond what is in flight, above 0. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: 1e6 }) max_cost_usd?: number | null;
}

/** How many calls of a scoring are in which state. */
export class ScoringCountsDto {
  /** Wait, or are judged now. */
  @IsInteger({ min: 0 }) pending!: number;
  /** Have a verdict. */
  @IsInteger({ min: 0 }) done!: number;
  /** Have nothing that the scorer judges. */
  @IsInteger({ min: 0 }) skipped!: number;
  /** Have no verdict after all tries. */
  @IsInteger({ min: 0 }) failed!: number;
  /** Had a verdict of this version already, or are being judged for another scoring. */
  @IsInteger({ min: 0 }) judged_before!: number;
}

/** Calls that have no verdict for one reason. */
export class ScoringProblemDto {
  /** `skipped` or `failed`. */
  @IsText() state!: string;
  /** Why, as `judge_answered_nonsense`. */
  @IsText() code!: string;
  /** How many calls. */
  @IsInteger({ min: 1 }) calls!: number;
  /** Id of one of them. */
  @IsText() example_call_id!: string;
}

/** A job that judges calls with one version of a scorer. */
@Example({
  id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  project_id: 'acme/demo',
  scorer: 'hone:///acme/demo/object/helpful:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  status: 'running',
  is_planned: true,
  counts: { pending: 20, done: 178, skipped: 1, failed: 1, judged_before: 0 },
  problems: [],
  cost_usd: 0.52,
  max_cost_usd: 1.5,
  error: null,
  created_at: '2026-01-15T10:00:05.000Z',
  finished_at: null,
})
export class ScoringDto {
  /** Id of the job. */
  @IsUuid() id!: string;
  /** Project `<entity>/<project>`. */
  @IsText() project_id!: string;
  /** Ref of the scorer's version. */
  @IsText() scorer!: string;
  /** `queued` and `running`, then one of the others for good. */
  @IsWord(SCORING_STATUSES) status!: ScoringStatus;
  /** Whether all calls have been found, so that the counts are of all. */
  @IsFlag() is_planned!: boolean;
  /** Calls by state. */
  @Nested(() => ScoringCountsDto) counts!: ScoringCountsDto;
  /** Why calls have no verdict, the most frequent reasons first, at most 20. */
  @NestedList(() => ScoringProblemDto) problems!: ScoringProblemDto[];
  /** Spent so far, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** Most to spend. Null: no limit of its own. */
  @IsOptional() @IsNumber() max_cost_usd!: number | null;
  /** Why the job failed. Null: it did not. */
  @IsOptional() @IsText() error!: string | null;
  /** When it was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** When it ended, ISO 8601 in UTC. Null: it has not. */
  @IsOptional() @IsDateTime() finished_at!: string | null;
}

/** Query of `GET /evaluation/scorings`. */
@AcceptsUnknownFields()
export class ScoringsQueryDto {
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  /** `next_cursor` of the page before. Absent: the newest jobs. */
  @MayOmit() @IsUuid() cursor?: string;
}

/** Answer of `GET /evaluation/scorings`: at most 50 jobs, the newest first. */
export class ScoringPageDto {
  /** The jobs of the page. */
  @NestedList(() => ScoringDto) scorings!: ScoringDto[];
  /** Goes into the next request. Null: there are no more. */
  @IsOptional() @IsText() next_cursor!: string | null;
}
