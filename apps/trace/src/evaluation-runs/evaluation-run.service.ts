import type { Readable } from 'node:stream';

import type { Principal } from '@hone/auth';
import { CallTreeRepository, evaluationEnd, runStart } from '@hone/calls';
import {
  type EvaluationRunCreateDto,
  type EvaluationRunCreateResultDto,
  type EvaluationRunListQueryDto,
  type FinishResultDto,
  ownRef,
  type RawJson,
} from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallWriteService } from '../calls/writes/call-write.service.js';
import { EvaluationRunRepository } from './evaluation-run.repository.js';
import type { SentFinish } from './run-bodies.task.js';
import { TrackedCallService } from './tracked-call.service.js';
import { EVALUATION_RUN } from './tracked-kinds.js';

/** The exception of predictions that were open: that of the run may be long, and they may be many. */
const RUN_FAILED = 'The evaluation run failed.';

/** Runs of evaluations, each stored as a call whose predictions and scores are calls of its trace. */
@Injectable()
export class EvaluationRunService {
  constructor(
    private readonly tracked: TrackedCallService,
    private readonly runs: EvaluationRunRepository,
    private readonly tree: CallTreeRepository,
    private readonly writes: CallWriteService,
    private readonly database: Database,
    private readonly refScheme: RefScheme,
  ) {}

  /** @throws AccessDeniedError */
  async create(
    author: Principal,
    projectId: string,
    body: EvaluationRunCreateDto,
  ): Promise<EvaluationRunCreateResultDto> {
    const id = newId();
    const { evaluation, model } = body;
    const start = runStart({ id, startedAt: new Date(), evaluation, model }, this.refScheme.name);
    await this.writes.store(author, { projectId, id, start, end: null });
    return { evaluation_run_id: id };
  }

  /** @throws AccessDeniedError */
  list(caller: Principal, projectId: string, query: EvaluationRunListQueryDto): Promise<RawJson | Readable> {
    const { evaluations, models, evaluation_run_ids, limit, offset } = query;
    const own = (refs: string[]) => refs.map((ref) => (ref.includes(':///') ? ownRef(ref, this.refScheme.name) : ref));
    return this.tracked.list(EVALUATION_RUN, caller, projectId, {
      ...{ limit, offset, filter: { call_ids: evaluation_run_ids ?? null } },
      attributes: { ...(evaluations && { evaluation: own(evaluations) }), ...(models && { model: own(models) }) },
    });
  }

  /**
   * Ends a run and its open predictions, which fail where the run does. A run that has ended gets the new summary and
   * exception.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, CallNotFoundError
   */
  async finish(
    author: Principal,
    projectId: string,
    id: string,
    { summary, exception }: SentFinish,
  ): Promise<FinishResultDto> {
    const { row, projectRowId } = await this.tracked.getWritable(EVALUATION_RUN, author, projectId, id);
    const now = new Date();
    const end = evaluationEnd(now < row.started_at ? row.started_at : now, summary, exception);
    const failed = await this.database.transaction(async () => {
      await this.writes.store(author, { projectId, id, start: null, end });
      return this.runs.endPredictions(projectRowId, id, {
        at: now,
        exception: end.exception === null ? null : RUN_FAILED,
      });
    });
    await this.tree.settle(failed);
    return { success: true };
  }
}
