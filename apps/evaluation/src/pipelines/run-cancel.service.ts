import type { Principal } from '@hone/auth';
import { Injectable, Logger } from '@nestjs/common';

import { GateEndedError, GateNotFoundError } from '../gates/gates.errors.js';
import { GatesService } from '../gates/gates.service.js';
import { EvaluationJobFinishedError, EvaluationJobNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { EvaluationJobsService } from '../runs/evaluation-jobs.service.js';
import { ModelTraining } from '../services/model-training.service.js';
import type { PipelineRecord, PipelineRunRecord } from './pipeline.record.js';
import { PipelineRunsRepository } from './pipeline-runs.repository.js';
import { stepOf } from './run-steps.js';

/** Ends runs, with what they work on. */
@Injectable()
export class RunCancel {
  private readonly logger = new Logger(RunCancel.name);

  constructor(
    private readonly runs: PipelineRunsRepository,
    private readonly training: ModelTraining,
    private readonly evaluations: EvaluationJobsService,
    private readonly gates: GatesService,
  ) {}

  /** @returns false: it has ended before */
  async cancel(caller: Principal, pipeline: PipelineRecord, run: PipelineRunRecord): Promise<boolean> {
    const reason = 'Somebody cancelled it.';
    if (!(await this.runs.end(run.id, { status: 'cancelled', reason }))) return false;
    const { training_job_id: job, evaluation_job_id: evaluation, gate_id: gate } = stepOf(run.steps);
    try {
      if (job !== null) await this.training.cancelJob(pipeline.keyId, job);
      if (evaluation !== null) await this.evaluations.cancel(caller, evaluation);
      if (gate !== null) await this.gates.cancel(caller, gate);
    } catch (error) {
      const isOver = [
        ...[EvaluationJobFinishedError, EvaluationJobNotFoundError, GateEndedError, GateNotFoundError],
      ].some((type) => error instanceof type);
      // The run is cancelled all the same: what goes on is paid once, and leads nowhere.
      if (!isOver) this.logger.warn(error, `Pipeline run ${run.id} was cancelled; what it worked on may go on.`);
    }
    return true;
  }
}
