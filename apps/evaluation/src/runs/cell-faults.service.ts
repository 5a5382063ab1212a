import type { CallDraft } from '@hone/calls';
import { Injectable } from '@nestjs/common';

import { toSettlement } from '../queue/attempts.js';
import { CellsRepository } from './cells.repository.js';
import type { CellClaim, EvaluationJob } from './evaluation-job.record.js';
import { RunCalls } from './run-calls.service.js';
import { StoredRows } from './stored-rows.service.js';

const FAULT = {
  state: 'failed',
  code: 'evaluating_failed',
  costNanoUsd: 0,
  isCostOpen: true,
  isTransient: true,
} as const;
const EXCEPTION = 'evaluating_failed: The evaluation service could not do this; its log says why.';

/** Settles cells that could not be done for a fault of our own. A cell that is given up is stored as one that failed. */
@Injectable()
export class CellFaults {
  constructor(
    private readonly cells: CellsRepository,
    private readonly rows: StoredRows,
    private readonly calls: RunCalls,
  ) {}

  /** One by one: what could not be stored of one cell is no fault of the others. */
  async settle(job: EvaluationJob, claims: readonly CellClaim[]): Promise<void> {
    for (const claim of claims) {
      const settlement = { ...toSettlement(claim, FAULT), result: null };
      const isOver = settlement.state !== 'pending';
      await this.cells.settle(job, [settlement], isOver ? [await this.draftOf(job, claim)] : []);
    }
  }

  private async draftOf(job: EvaluationJob, claim: CellClaim): Promise<CallDraft> {
    const now = new Date();
    const found = { startedAt: now, endedAt: now, output: null, exception: EXCEPTION, call: null, costNanoUsd: 0 };
    if (claim.scorer > 0) return this.calls.score(job, claim, found);
    // The row may be what cannot be read.
    const row = await this.rows.find(job, claim.rowDigest).catch(() => null);
    return this.calls.prediction(job, claim, row ?? {}, found);
  }
}
