import type { Readable } from 'node:stream';

import type { Principal } from '@hone/auth';
import { evaluationEnd, scoreStart } from '@hone/calls';
import { type PredictionListQueryDto, RawJson, type ScoreCreateResultDto, valueIssue } from '@hone/contracts';
import { newId } from '@hone/database';
import { RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallWriteService } from '../calls/writes/call-write.service.js';
import type { SentScore } from './run-bodies.task.js';
import { TrackedCallService } from './tracked-call.service.js';
import { textOf } from './tracked-kind.js';
import { EVALUATION_RUN, PREDICTION, SCORE } from './tracked-kinds.js';

/** What scorers found, each stored as a call that its prediction made. */
@Injectable()
export class ScoreService {
  constructor(
    private readonly tracked: TrackedCallService,
    private readonly writes: CallWriteService,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * @throws AccessDeniedError, ProjectNotFoundError
   * @throws CallNotFoundError there is no such prediction
   * @throws ValidationError the prediction belongs to another run
   */
  async create(author: Principal, projectId: string, body: SentScore): Promise<ScoreCreateResultDto> {
    const { prediction_id } = body;
    const { row, hone } = await this.tracked.getWritable(PREDICTION, author, projectId, prediction_id);
    const runId = textOf(hone, 'evaluation_run_id');
    if ((body.evaluation_run_id ?? runId) !== runId)
      throw new ValidationError([
        valueIssue('Input should be the evaluation run of the prediction', ['body', 'evaluation_run_id']),
      ]);
    const id = newId();
    const now = new Date();
    const where = { runId, traceId: row.trace_id as string, projectId, predictionId: prediction_id };
    const start = scoreStart({ ...where, startedAt: now, scorer: body.scorer }, this.refScheme.name);
    const end = evaluationEnd(now, body.value, body.exception ?? null);
    await this.writes.store(author, { projectId, id, start, end });
    return { score_id: id };
  }

  /** An unknown project or run has none. @throws AccessDeniedError */
  async list(
    caller: Principal,
    projectId: string,
    { evaluation_run_id: runId, limit, offset }: PredictionListQueryDto,
  ): Promise<RawJson | Readable> {
    if (runId === undefined) return this.tracked.list(SCORE, caller, projectId, { limit, offset });
    const traceId = await this.tracked.findTraceId(EVALUATION_RUN, caller, projectId, runId);
    if (traceId === null) return new RawJson('');
    return this.tracked.list(SCORE, caller, projectId, {
      ...{ limit, offset, filter: { trace_ids: [traceId] } },
      attributes: { evaluation_run_id: [runId] },
    });
  }
}
