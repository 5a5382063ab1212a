import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { MayOmit, Nested } from '../validation/rule.js';
import { IsJsonObject, IsJsonValue, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';
import { CallFilterDto } from './call-queries.dto.js';

const SOURCES = ['feedback', 'calls'] as const;
const FORMATS = ['raw', 'sft'] as const;

/** A condition on what is exported. */
export class ExportConditionDto {
  /**
   * The condition: an expression of operators, fields and literals, of at most 32 levels and 1,000 nodes; the fields are
   * those of `POST /calls/query` or of `POST /feedback/query`, as `source` says.
   */
  @IsJsonObject() $expr!: Record<string, unknown>;
}

/** A rating of feedback. */
export class ExportRatingDto {
  /** Name of the rating, as `scorer_ratings` has it; 1 to 1,024 characters. */
  @IsText({ min: 1, max: 1_024 }) name!: string;
  /** Least value, included. Absent or null: any. */
  @IsOptional() @IsNumber() min?: number | null;
  /** Greatest value, included. Absent or null: any. */
  @IsOptional() @IsNumber() max?: number | null;
}

/** Which feedback is meant; one record meets all conditions. */
export class ExportFeedbackDto {
  /** Type of the feedback, 1 to 256 characters. */
  @IsText({ min: 1, max: 256 }) feedback_type!: string;
  /** The feedback has one of these tags, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ max: 1_024, maxItems: 1_000 }) tags?: string[] | null;
  /** The feedback has this rating. Absent or null: any. */
  @IsOptional() @Nested(() => ExportRatingDto) rating?: ExportRatingDto | null;
}

/** Body of `POST /export`. */
@Example({
  project_id: 'acme/demo',
  source: 'calls',
  filter: { op_names: ['openai.chat.completions.create'] },
  feedback: { feedback_type: 'quality', rating: { name: 'overall', min: 0.8 } },
  format: 'sft',
})
export class ExportDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** What is exported: `calls`, or records of `feedback`; in the format `sft` the calls that these judge. */
  @IsWord(SOURCES) source!: (typeof SOURCES)[number];
  /** Which calls are meant; of the source `calls` only. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition on the calls, or on the feedback, as `source` says. Absent or null: none. */
  @IsOptional() @Nested(() => ExportConditionDto) query?: ExportConditionDto | null;
  /** Only calls with such feedback, or only such feedback, as `source` says. Absent or null: all. */
  @IsOptional() @Nested(() => ExportFeedbackDto) feedback?: ExportFeedbackDto | null;
  /**
   * `raw`: calls as `POST /calls/stream_query` answers them, records as `POST /feedback/query` does. `sft`: one
   * conversation a line, as training takes it. Absent or null: `raw`.
   */
  @IsOptional() @IsWord(FORMATS) format?: (typeof FORMATS)[number] | null;
}

/**
 * A line of `POST /export` in the format `sft`; in the format `raw` a line is a call or a feedback record. The trailer
 * `X-Row-Count` says how many lines there are, `X-Skipped` how many calls were left out because they have no
 * conversation, or one of more than 4 MiB.
 */
export class ExportLineDto {
  /** The messages that the call was made with, and the assistant's message that it answered. */
  @MayOmit()
  @IsJsonValue({ type: 'array', items: { type: 'object', additionalProperties: true } })
  messages?: unknown[];
  /** Tools that the call was made with. Absent: none. */
  @MayOmit() @IsJsonValue({ type: 'array' }) tools?: unknown[];
}
