import { IsOptional } from 'class-validator';

import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { IsProjectId } from '../names/names.js';
import { Constrained } from '../schema/constraint.js';
import { eitherOf } from '../schema/either-of.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, MayOmit, NestedList, type Rule } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsText, IsWord, listRule, mapRule, wordRule } from '../validation/rules.js';

/** Tools whose scores are read. */
export const SCORE_FORMATS = ['langfuse', 'mlflow'] as const;
export type ScoreFormat = (typeof SCORE_FORMATS)[number];

/** Who judged: a person, a model, or a program. */
export const EVIDENCE_KINDS = ['human', 'judge', 'check'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Most scores of a request. */
export const MAX_SCORES = 10_000;
const ANYTHING: Rule = { name: 'isAnything', issues: () => [], schema: {} };
const OBJECT: Rule = {
  name: 'isScore',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object', additionalProperties: true },
};

/** Body of `POST /feedback/import`: scores as another tool exports them. */
@Constrained({ schema: eitherOf('scores', 'csv') })
@Example({
  project_id: 'acme/demo',
  format: 'langfuse',
  scores: [
    {
      ...{
        id: 'score-1',
        traceId: '5b8efff798038103d269b633813fc60c',
        name: 'helpful',
        value: 0.9,
        dataType: 'NUMERIC',
      },
      ...{ source: 'ANNOTATION', comment: 'To the point.', timestamp: '2026-01-15T10:00:00.000Z' },
    },
  ],
})
export class ScoreImportDto {
  /** Project `<entity>/<project>` that has the calls. */
  @IsProjectId() project_id!: string;
  /** Whose form the scores have. */
  @IsWord(SCORE_FORMATS) format!: ScoreFormat;
  /**
   * The scores, at most 10,000. Of `langfuse` as its interface and its exports have them; of `mlflow` assessments, traces with their
   * assessments, or rows of an evaluation's results. Absent or null: they are in `csv`.
   */
  @IsOptional() @fromRule(listRule(OBJECT, { max: MAX_SCORES })) scores?: Record<string, unknown>[] | null;
  /** The scores as a CSV file whose first line names the columns, at most 10,000 lines. Absent or null: they are in `scores`. */
  @IsOptional() @IsText({ min: 1 }) csv?: string | null;
  /**
   * Name of a score -> who judged, where that is known better than the export says it. Absent or null: as it says: annotations are
   * people's, evaluations and judges those of a model, all else that of a program.
   */
  @IsOptional() @fromRule(mapRule(wordRule(EVIDENCE_KINDS))) evidence?: Record<string, EvidenceKind> | null;
}

/** Why scores were not stored. */
export class RejectedScoresDto {
  /** As a sentence. */
  @IsText() reason!: string;
  /** How many. */
  @IsInteger({ min: 1 }) count!: number;
  /** Id of one of them, or its number in the request, which counts from 0. */
  @IsText() example!: string;
}

/** Answer of `POST /feedback/import`. */
@Example({
  ...{ created: 998, updated: 1, unchanged: 0 },
  rejected: [{ reason: 'There is no call of its trace in the project.', count: 1, example: 'score-7' }],
})
export class ScoreImportResultDto {
  /** Scores that were stored now. */
  @IsInteger({ min: 0 }) created!: number;
  /** Scores that were there with other content, which their history keeps. */
  @IsInteger({ min: 0 }) updated!: number;
  /** Scores that were there. */
  @IsInteger({ min: 0 }) unchanged!: number;
  /** Scores that were not stored, by reason, the most frequent first. */
  @NestedList(() => RejectedScoresDto) rejected!: RejectedScoresDto[];
}

/**
 * Body of `POST /api/public/scores`: a score as SDKs of Langfuse send it, or a list of such, at most 10,000. It becomes feedback
 * about the call of its observation, else about the root of its trace, once that call is there.
 */
@AcceptsUnknownFields()
@Example({
  id: 'score-1',
  traceId: '5b8efff798038103d269b633813fc60c',
  name: 'helpful',
  value: 0.9,
  dataType: 'NUMERIC',
})
export class LangfuseScoreDto {
  /** Id of the score: sent again with it, the score replaces itself. Absent or null: the server makes one. */
  @IsOptional() @IsText() id?: string | null;
  /** Id of the trace. */
  @MayOmit() @IsOptional() @IsText() traceId?: string | null;
  /** Id of the observation, a span. Absent or null: the trace as a whole is judged. */
  @IsOptional() @IsText() observationId?: string | null;
  /** What is judged, 1 to 200 characters. */
  @IsText({ min: 1, max: 200 }) name!: string;
  /** A number; of `BOOLEAN` 0 or 1; of `CATEGORICAL`, `TEXT` and `CORRECTION` a text. */
  @IsJsonValue({ type: ['number', 'string', 'boolean'] }) value!: unknown;
  /** `NUMERIC`, `BOOLEAN`, `CATEGORICAL`, `TEXT` or `CORRECTION`. Absent or null: by the value. */
  @IsOptional() @IsText() dataType?: string | null;
  /** `ANNOTATION`: a person judged; `EVAL`: a model; else a program. `metadata.evidence` says otherwise: `human`, `judge` or `check`. */
  @IsOptional() @IsText() source?: string | null;
  /** Why. Absent or null: it is not said. */
  @IsOptional() @IsText() comment?: string | null;
  /** Anything else. Absent or null: nothing. */
  @IsOptional() @IsJsonValue() metadata?: unknown;
}

/** Answer of `POST /api/public/scores`: of one score its id; of a list what became of it. */
export class LangfuseScoreResultDto {
  /** Of one score: its id. */
  @MayOmit() @IsText() id?: string;
  /** Of a list: `Accepted`, status 202. Absent: one score, or some were rejected. */
  @MayOmit() @IsText() message?: string;
  /** Scores that were taken, status 207. Absent: all were. */
  @MayOmit() @IsInteger({ min: 0 }) accepted?: number;
  /** Scores that were not. Absent: none. */
  @MayOmit() @IsInteger({ min: 0 }) rejected?: number;
  /** Why, an object with a `message` for each. Absent: all were taken. */
  @MayOmit() @IsJsonValue({ type: 'array', items: { type: 'object' } }) errors?: { message: string }[];
}

/** Body of `POST /api/public/ingestion`: events of Langfuse SDKs before version 5. */
@AcceptsUnknownFields()
@Example({
  batch: [
    {
      ...{ id: 'event-1', type: 'score-create', timestamp: '2026-01-15T10:00:00.000Z' },
      body: { id: 'score-1', traceId: '5b8efff798038103d269b633813fc60c', name: 'helpful', value: 0.9 },
    },
  ],
})
export class LangfuseEventsDto {
  /**
   * Events with an `id`, a `type` and a `body`, at most 10,000. The body of `score-create` is that of `POST /api/public/scores`;
   * `sdk-log` is taken and dropped; all others are refused one by one, also what is no event: spans are taken by OpenTelemetry.
   */
  @fromRule(listRule(ANYTHING, { max: MAX_SCORES })) batch!: unknown[];
}

/** An event that was taken. */
export class TakenEventDto {
  /** Id of the event, which SDKs know it by. */
  @IsText() id!: string;
  /** Status of HTTP that it alone would have had: 201. */
  @IsInteger({ min: 200, max: 299 }) status!: number;
}

/** An event that was refused. */
export class RefusedEventDto {
  /** Id of the event; of one without, its number in the batch, which counts from 0. */
  @IsText() id!: string;
  /** Status of HTTP that it alone would have had. */
  @IsInteger({ min: 400, max: 599 }) status!: number;
  /** Why, as a sentence. */
  @IsText() message!: string;
}

/** Answer of `POST /api/public/ingestion`. */
export class LangfuseEventsResultDto {
  /** Events that were taken. */
  @NestedList(() => TakenEventDto) successes!: TakenEventDto[];
  /** Events that were not: the status is 207 where there are some. */
  @NestedList(() => RefusedEventDto) errors!: RefusedEventDto[];
}
