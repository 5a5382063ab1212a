import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsText } from '../validation/rules.js';
import { FeedbackRecordDto } from './feedback.dto.js';

/** Body of `POST /feedback/history`. */
@Example({ project_id: 'acme/demo', id: 'fb-1' })
export class FeedbackHistoryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the record, 1 to 128 characters; that of a record which was replaced means the one in its place. */
  @IsText({ min: 1, max: 128 }) id!: string;
}

/** A record that was replaced. */
export class FeedbackRevisionDto {
  /** Number of the revision: 0 is the oldest. */
  @IsInteger({ min: 0 }) revision!: number;
  /** When the record was replaced, ISO 8601 in UTC. */
  @IsDateTime() replaced_at!: string;
  /** Id of the user who replaced it. */
  @IsText() replaced_by!: string;
  /** The reason that was given. Null: none. */
  @IsOptional() @IsText() reason!: string | null;
  /** The record as it was, with all its fields. */
  @Nested(() => FeedbackRecordDto) record!: FeedbackRecordDto;
}

/** Answer of `POST /feedback/history`. */
export class FeedbackHistoryResultDto {
  /** The records that this one replaced, the oldest first. */
  @NestedList(() => FeedbackRevisionDto) revisions!: FeedbackRevisionDto[];
}
