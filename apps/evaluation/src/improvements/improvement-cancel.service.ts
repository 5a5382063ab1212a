import type { Principal } from '@hone/auth';
import { Injectable, Logger } from '@nestjs/common';

import { GateEndedError, GateNotFoundError } from '../gates/gates.errors.js';
import { GatesService } from '../gates/gates.service.js';
import { EvaluationJobFinishedError, EvaluationJobNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { EvaluationJobsService } from '../runs/evaluation-jobs.service.js';
import { ModelTraining } from '../services/model-training.service.js';
import type { ImprovementRecord } from './improvement.record.js';
import { ImprovementsRepository } from './improvements.repository.js';

const OVER = [EvaluationJobFinishedError, EvaluationJobNotFoundError, GateEndedError, GateNotFoundError];

/** Ends improvements, with what they work on. */
@Injectable()
export class ImprovementCancel {
  private readonly logger = new Logger(ImprovementCancel.name);

  constructor(
    private readonly improvements: ImprovementsRepository,
    private readonly training: ModelTraining,
    private readonly evaluations: EvaluationJobsService,
    private readonly gates: GatesService,
  ) {}

  /** @returns false: it has ended before */
  async cancel(caller: Principal, { id, keyId, candidates, evaluationIds }: ImprovementRecord): Promise<boolean> {
    if (!(await this.improvements.end(id, { status: 'cancelled', reason: 'Somebody cancelled it.' }))) return false;
    for (const { training_job_id: job } of candidates)
      if (job !== null) await this.stop(id, () => this.training.cancelJob(keyId, job));
    for (const evaluation of evaluationIds) await this.stop(id, () => this.evaluations.cancel(caller, evaluation));
    for (const { gate_id: gate } of candidates)
      if (gate !== null) await this.stop(id, () => this.gates.cancel(caller, gate));
    return true;
  }

  /** It is cancelled all the same: what goes on is paid once, and leads nowhere. */
  private async stop(id: string, cancel: () => Promise<unknown>): Promise<void> {
    try {
      await cancel();
    } catch (error) {
      if (!OVER.some((type) => error instanceof type))
        this.logger.warn(error, `Improvement ${id} was cancelled; what it worked on may go on.`);
    }
  }
}
