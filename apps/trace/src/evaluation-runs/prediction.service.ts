import type { Readable } from 'node:stream';

import type { Principal } from '@hone/auth';
import { CallTreeRepository, evaluationEnd, predictionStart } from '@hone/calls';
import {
  type FinishResultDto,
  type PredictionCreateResultDto,
  type PredictionFinishDto,
  type PredictionListQueryDto,
  RawJson,
} from '@hone/contracts';
import { newId } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallWriteService } from '../calls/writes/call-write.service.js';
import { EvaluationRunRepository } from './evaluation-run.repository.js';
import type { SentPrediction } from './run-bodies.task.js';
import { TrackedCallService } from './tracked-call.service.js';
import { EVALUATION_RUN, PREDICTION } from './tracked-kinds.js';

/** What models answered, each stored as a call; those of a run are in its trace. */
@Injectable()
export class PredictionService {
  constructor(
    private readonly tracked: TrackedCallService,
    private readonly runs: EvaluationRunRepository,
    private readonly tree: CallTreeRepository,
    private readonly writes: CallWriteService,
    private readonly refScheme: RefScheme,
  ) {}

  /** @throws AccessDeniedError; of a run: ProjectNotFoundError, CallNotFoundError */
  async create(author: Principal, projectId: string, body: SentPrediction): Promise<PredictionCreateResultDto> {
    const runId = body.evaluation_run_id ?? null;
    const run = runId === null ? null : await this.tracked.getWritable(EVALUATION_RUN, author, projectId, runId);
    const id = newId();
    const { model, rowDigest, inputs, output, exception } = body;
    const now = new Date();
    const start = predictionStart(
      { runId, traceId: run?.row.trace_id ?? id, startedAt: now, model, rowDigest, inputs },
      this.refScheme.name,
    );
    const end = evaluationEnd(now, output, exception ?? null);
    await this.writes.store(author, { projectId, id, start, end: { ...end, ...(run && { endedAt: null }) } });
    return { prediction_id: id };
  }

  /** An unknown project or run has none. @throws AccessDeniedError */
  async list(
    caller: Principal,
    projectId: string,
    { evaluation_run_id: runId, limit, offset }: PredictionListQueryDto,
  ): Promise<RawJson | Readable> {
    if (runId === undefined) return this.tracked.list(PREDICTION, caller, projectId, { limit, offset });
    const traceId = await this.tracked.findTraceId(EVALUATION_RUN, caller, projectId, runId);
    if (traceId === null) return new RawJson('');
    const filter = { trace_ids: [traceId], parent_ids: [runId] };
    return this.tracked.list(PREDICTION, caller, projectId, { filter, limit, offset });
  }

  /**
   * Ends an open prediction. An exception is kept also of one that has ended.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, CallNotFoundError
   */
  async finish(
    author: Principal,
    projectId: string,
    id: string,
    { exception }: PredictionFinishDto,
  ): Promise<FinishResultDto> {
    const { projectRowId } = await this.tracked.getWritable(PREDICTION, author, projectId, id);
    const failed = await this.runs.endPrediction(projectRowId, id, { at: new Date(), exception: exception ?? null });
    await this.tree.settle(failed);
    return { success: true };
  }
}
