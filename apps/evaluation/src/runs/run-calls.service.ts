import { type CallDraft, evaluationEnd, predictionStart, runStart, scoreStart, toJsonDraft, toUsd } from '@hone/calls';
import type { JsonObject, JsonValue } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { evaluationUser } from '../judged-calls/own-users.js';
import { StoredObjects, type VersionKey } from '../stored-objects/stored-objects.service.js';
import type { CellClaim, EvaluationJob, PlannedCandidate } from './evaluation-job.record.js';

/** What came of a cell, and when. */
export interface CellFound {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly output: JsonValue;
  /** Why there is no output; null: there is. */
  readonly exception: string | null;
  /** Ref of the call in which a model was asked; null: none was, or it was not kept. */
  readonly call: string | null;
  /** What that cost. */
  readonly costNanoUsd: number;
}

/** Runs, predictions and scores as calls: those that an SDK would have sent. */
@Injectable()
export class RunCalls {
  constructor(
    private readonly objects: StoredObjects,
    private readonly scheme: RefScheme,
  ) {}

  /** A run begins. */
  started(job: EvaluationJob, candidate: PlannedCandidate): CallDraft {
    const { plan, projectId } = job;
    const refOf = (version: PlannedCandidate['model']) => this.objects.refOf({ id: projectId }, version);
    const refs = { evaluation: refOf(plan.evaluation), model: refOf(candidate.model) };
    const more = { evaluation_job: job.id, ...ofEvaluation(job) };
    return {
      ...this.draftOf(job, candidate.runId),
      start: runStart({ id: candidate.runId, startedAt: new Date(), more, ...refs }, this.scheme.name),
    };
  }

  /** A run ends. @param exception why it is not complete; null: it is */
  ended(job: EvaluationJob, { runId }: PlannedCandidate, summary: JsonObject, exception: string | null): CallDraft {
    return { ...this.draftOf(job, runId), end: evaluationEnd(new Date(), toJsonDraft(summary), exception) };
  }

  prediction(job: EvaluationJob, claim: CellClaim, row: JsonValue, found: CellFound): CallDraft {
    const candidate = job.plan.candidates[claim.candidate] as PlannedCandidate;
    const start = predictionStart(
      {
        ...{ runId: candidate.runId, traceId: candidate.runId, startedAt: found.startedAt },
        model: this.objects.refOf({ id: job.projectId }, candidate.model),
        rowDigest: claim.rowDigest,
        inputs: toJsonDraft(row),
        more: attributesOf(job, claim, found),
      },
      this.scheme.name,
    );
    return { ...this.draftOf(job, claim.id), start, end: endOf(found) };
  }

  score(job: EvaluationJob, claim: CellClaim, found: CellFound): CallDraft {
    const { runId } = job.plan.candidates[claim.candidate] as PlannedCandidate;
    const start = scoreStart(
      {
        ...{ runId, traceId: runId, startedAt: found.startedAt, projectId: job.projectId },
        predictionId: claim.answerUid as string,
        scorer: this.objects.refOf({ id: job.projectId }, job.plan.scorers[claim.scorer - 1] as VersionKey),
        more: attributesOf(job, claim, found),
      },
      this.scheme.name,
    );
    return { ...this.draftOf(job, claim.id), start, end: endOf(found) };
  }

  private draftOf({ projectId, projectRowId, createdBy }: EvaluationJob, id: string): CallDraft {
    return { projectId, projectRowId, id, svcUserId: createdBy, start: null, end: null };
  }
}

const endOf = ({ endedAt, output, exception }: CellFound) => evaluationEnd(endedAt, toJsonDraft(output), exception);

/** They are no traffic of the project: nothing but the evaluation itself judges them. */
const ofEvaluation = ({ plan }: EvaluationJob): JsonObject => ({
  metadata: { user: evaluationUser(plan.evaluation.objectId) },
});

const attributesOf = (
  job: EvaluationJob,
  { rowNumber, trial }: CellClaim,
  { call, costNanoUsd }: CellFound,
): JsonObject => ({
  ...ofEvaluation(job),
  evaluation: { row: rowNumber, trial, cost_usd: toUsd(costNanoUsd), ...(call !== null && { asked: call }) },
});
