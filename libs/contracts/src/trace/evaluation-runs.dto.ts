import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { callIdRule, IsCallId } from '../names/names.js';
import { IsRef } from '../names/refs.js';
import { IsQueryInteger, IsQueryList, IsQueryText } from '../query/query-rules.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { MayOmit, MayOmitBody, RequiredUnless } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonObject, IsJsonValue, IsText, textRule } from '../validation/rules.js';

const MAX_INT32 = 2_147_483_647;
const FILTERED = { max: 1_000 };
const DELETED = { min: 1, max: 100 };
/** What was found, or why nothing was: one of the two, or both. */
const foundOrFailed = (found: string) => ({
  if: { properties: { exception: { type: 'string' } }, required: ['exception'] },
  then: {},
  else: { required: [found], properties: { [found]: {} } },
});
const REF_TEXT = textRule({ min: 1, max: 2_000 });

/** Body of `POST /v2/{entity}/{project}/evaluation_runs`. */
@Example({ evaluation: 'hone:///acme/demo/object/smoke:v0', model: 'hone:///acme/demo/object/greeter:v0' })
export class EvaluationRunCreateDto {
  /** Ref of the evaluation that is run, an object. */
  @IsRef('object') evaluation!: string;
  /** Ref of the model that is evaluated, an object or an op. */
  @IsRef('object', 'op') model!: string;
}

/** Answer of `POST /v2/{entity}/{project}/evaluation_runs`. */
export class EvaluationRunCreateResultDto {
  /** Id of the run, which is the id of its call. */
  @IsCallId() evaluation_run_id!: string;
}

/** Body of `POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish`. */
@Example({ summary: { exact: { mean: 0.5 } } })
export class EvaluationRunFinishDto {
  /** What the run found: a JSON object, kept as sent. Absent or null: none. */
  @IsOptional() @IsJsonObject() summary?: Record<string, unknown> | null;
  /**
   * Why the run failed. Its open predictions fail with it. Absent or null: it did not fail; a run that had failed before
   * has then succeeded.
   */
  @IsOptional() @IsText() exception?: string | null;
}

/** Answer of the end of an evaluation run or a prediction. */
export class FinishResultDto {
  /** Always true: what fails answers an error. */
  @IsFlag() success!: boolean;
}

/** A run of an evaluation: one model, asked with each row of a dataset. */
export class EvaluationRunDto {
  /** Id of the run, which is the id of its call. */
  @IsCallId() evaluation_run_id!: string;
  /** Ref of the evaluation. Null: the stored call names none. */
  @IsOptional() @IsText() evaluation!: string | null;
  /** Ref of the model. Null: the stored call names none. */
  @IsOptional() @IsText() model!: string | null;
  /** `running` until the run is finished, then `success`, or `error` where it was finished with an exception. */
  @IsText() status!: string;
  /** Why the run failed. Null: it did not fail. */
  @IsOptional() @IsText() exception!: string | null;
  /** When the run began, ISO 8601 in UTC. */
  @IsDateTime() started_at!: string;
  /** When the run was finished, ISO 8601 in UTC. Null: it runs. */
  @IsOptional() @IsDateTime() finished_at!: string | null;
  /** What the run found, as it was sent. Null: it runs, or nothing was sent. */
  @IsOptional() @IsJsonObject() summary!: Record<string, unknown> | null;
  /** Id of the user who began the run. */
  @IsText() svc_user_id!: string;
}

/** Query of lists of evaluation runs, predictions and scores. */
export class TrackedPageQueryDto {
  /** Most elements to answer, 0 to 2,147,483,647. Absent: all. */
  @MayOmit() @IsQueryInteger(0, MAX_INT32) limit?: number;
  /** Elements to skip, 0 to 2,147,483,647. Absent: 0. */
  @MayOmit() @IsQueryInteger(0, MAX_INT32, 0) offset?: number;
}

/** Query of the list of evaluation runs; all conditions that are given must hold. */
export class EvaluationRunListQueryDto extends TrackedPageQueryDto {
  /** Refs of evaluations, of any scheme, one for each time that the parameter is sent, at most 1,000. Absent: any. */
  @MayOmit() @IsQueryList(REF_TEXT, FILTERED) evaluations?: string[];
  /** Refs of models, of any scheme, one for each time that the parameter is sent, at most 1,000. Absent: any. */
  @MayOmit() @IsQueryList(REF_TEXT, FILTERED) models?: string[];
  /** Ids of runs, one for each time that the parameter is sent, at most 1,000. Absent: any. */
  @MayOmit() @IsQueryList(callIdRule, FILTERED) evaluation_run_ids?: string[];
}

/** Query of the deletion of evaluation runs. */
@Example({ evaluation_run_ids: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d' })
export class EvaluationRunsDeleteQueryDto {
  /** Ids of runs, one for each time that the parameter is sent, 1 to 100. Ids of no run are ignored. */
  @IsQueryList(callIdRule, DELETED) evaluation_run_ids!: string[];
}

/** Answer of the deletion of evaluation runs, predictions or scores. */
export class TrackedDeleteResultDto {
  /** How many of them this request deleted, without what belongs to them. */
  @IsInteger({ min: 0 }) num_deleted!: number;
}

/** Body of `POST /v2/{entity}/{project}/predictions`. */
@Constrained({ schema: foundOrFailed('output') })
@Example({ model: 'hone:///acme/demo/object/greeter:v0', inputs: { q: '2+2' }, output: '4' })
export class PredictionCreateDto {
  /** Ref of the model that was asked, an object or an op. */
  @IsRef('object', 'op') model!: string;
  /** What the model was asked: a JSON object, kept as sent. Rows of results are told apart by it. */
  @IsJsonObject() inputs!: Record<string, unknown>;
  /** What the model answered: any JSON, kept as sent. May be absent where `exception` says why there is none. */
  @RequiredUnless('exception') @IsJsonValue() output?: unknown;
  /** Why the model failed. Absent or null: it did not fail. */
  @IsOptional() @IsText() exception?: string | null;
  /**
   * Digest of the dataset row that the prediction is for, 1 to 256 characters. Absent or null: the content digest of
   * `inputs`, which is that of the row where `inputs` is the whole row.
   */
  @IsOptional() @IsText({ min: 1, max: 256 }) row_digest?: string | null;
  /**
   * Id of the evaluation run that the prediction belongs to; it stays open for scores until it, or the run, is finished.
   * Absent or null: none, and the prediction is finished at once.
   */
  @IsOptional() @IsCallId() evaluation_run_id?: string | null;
}

/** Body of `POST /v2/{entity}/{project}/predictions/{prediction_id}/finish`. It may be absent. */
@MayOmitBody()
@Example({ exception: 'TimeoutError: no answer within 30 s' })
export class PredictionFinishDto {
  /** Why the prediction failed, also of one that has ended. Absent or null: what was said before stays. */
  @IsOptional() @IsText() exception?: string | null;
}

/** Answer of `POST /v2/{entity}/{project}/predictions`. */
export class PredictionCreateResultDto {
  /** Id of the prediction, which is the id of its call. */
  @IsCallId() prediction_id!: string;
}

/** A prediction: what a model answered. */
export class PredictionDto {
  /** Id of the prediction, which is the id of its call. */
  @IsCallId() prediction_id!: string;
  /** Ref of the model. Null: the stored call names none. */
  @IsOptional() @IsText() model!: string | null;
  /** What the model was asked, as it was sent. */
  @IsJsonObject() inputs!: Record<string, unknown>;
  /** What the model answered, as it was sent: any JSON. */
  @IsJsonValue() output!: unknown;
  /** Why the prediction failed. Null: it did not fail. */
  @IsOptional() @IsText() exception!: string | null;
  /** Id of the evaluation run. Null: none. */
  @IsOptional() @IsText() evaluation_run_id!: string | null;
  /** When the prediction was sent, ISO 8601 in UTC. */
  @IsDateTime() started_at!: string;
  /** When it was finished, ISO 8601 in UTC. Null: it is open for scores. */
  @IsOptional() @IsDateTime() finished_at!: string | null;
  /** Id of the user who sent it. */
  @IsText() svc_user_id!: string;
}

/** Query of the lists of predictions and of scores. */
export class PredictionListQueryDto extends TrackedPageQueryDto {
  /** Id of the evaluation run that they belong to. Absent: any, or none. */
  @MayOmit() @IsQueryText() evaluation_run_id?: string;
}

/** Query of the deletion of predictions. */
@Example({ prediction_ids: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d' })
export class PredictionsDeleteQueryDto {
  /** Ids of predictions, one for each time that the parameter is sent, 1 to 100. Ids of no prediction are ignored. */
  @IsQueryList(callIdRule, DELETED) prediction_ids!: string[];
}

/** Body of `POST /v2/{entity}/{project}/scores`. */
@Constrained({ schema: foundOrFailed('value') })
@Example({ prediction_id: 'p1', scorer: 'hone:///acme/demo/object/exact:v0', value: true })
export class ScoreCreateDto {
  /** Id of the prediction that is judged. */
  @IsCallId() prediction_id!: string;
  /** Ref of the scorer, an object or an op; its name is the name of the score. */
  @IsRef('object', 'op') scorer!: string;
  /** What the scorer found: any JSON, kept as sent. May be absent where `exception` says why there is nothing. */
  @RequiredUnless('exception') @IsJsonValue() value?: unknown;
  /** Why the scorer failed. Absent or null: it did not fail. */
  @IsOptional() @IsText() exception?: string | null;
  /** Id of the evaluation run of the prediction. Absent or null: that of the prediction; another one is a 422. */
  @IsOptional() @IsCallId() evaluation_run_id?: string | null;
}

/** Answer of `POST /v2/{entity}/{project}/scores`. */
export class ScoreCreateResultDto {
  /** Id of the score, which is the id of its call. */
  @IsCallId() score_id!: string;
}

/** A score: what a scorer found about a prediction. */
export class ScoreDto {
  /** Id of the score, which is the id of its call. */
  @IsCallId() score_id!: string;
  /** Id of the prediction. Null: the stored call names none. */
  @IsOptional() @IsText() prediction_id!: string | null;
  /** Ref of the scorer. Null: the stored call names none. */
  @IsOptional() @IsText() scorer!: string | null;
  /** What the scorer found, as it was sent: any JSON. */
  @IsJsonValue() value!: unknown;
  /** Why the scorer failed. Null: it did not fail. */
  @IsOptional() @IsText() exception!: string | null;
  /** Id of the evaluation run. Null: none. */
  @IsOptional() @IsText() evaluation_run_id!: string | null;
  /** When the score was sent, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Id of the user who sent it. */
  @IsText() svc_user_id!: string;
}

/** Query of the deletion of scores. */
@Example({ score_ids: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d' })
export class ScoresDeleteQueryDto {
  /** Ids of scores, one for each time that the parameter is sent, 1 to 100. Ids of no score are ignored. */
  @IsQueryList(callIdRule, DELETED) score_ids!: string[];
}
