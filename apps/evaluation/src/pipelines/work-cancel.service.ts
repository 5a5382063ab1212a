import type { Principal } from '@hone/auth';
import { Database } from '@hone/database';
import { Injectable, Logger } from '@nestjs/common';

import { GateEndedError, GateNotFoundError } from '../gates/gates.errors.js';
import { GatesService } from '../gates/gates.service.js';
import { EvaluationJobFinishedError, EvaluationJobNotFoundError } from '../runs/evaluation-jobs.errors.js';
import { EvaluationJobsService } from '../runs/evaluation-jobs.service.js';
import { ModelTraining } from '../services/model-training.service.js';

const OVER = [EvaluationJobFinishedError, EvaluationJobNotFoundError, GateEndedError, GateNotFoundError];

/** What was made for something that nobody needs any more, by ids. */
export interface UnneededWork {
  /** In whose name it trains. */
  readonly keyId: string;
  readonly trainingJobs: readonly (string | null)[];
  readonly evaluations: readonly (string | null)[];
  readonly gates: readonly (string | null)[];
}

/** Ends training jobs, evaluations and gates. */
@Injectable()
export class WorkCancel {
  private readonly logger = new Logger(WorkCancel.name);

  constructor(
    private readonly training: ModelTraining,
    private readonly evaluations: EvaluationJobsService,
    private readonly gates: GatesService,
    private readonly database: Database,
  ) {}

  /** Each of them that has not ended; null is none. What cannot be cancelled goes on: it is paid once, and leads nowhere. */
  async cancel(caller: Principal, { keyId, trainingJobs, evaluations, gates }: UnneededWork): Promise<void> {
    await this.each(evaluations, (id) => this.evaluations.cancel(caller, id));
    await this.each(gates, (id) => this.gates.cancel(caller, id));
    // Another service is asked: no transaction is held open meanwhile.
    await this.database.afterCommit(() => this.each(trainingJobs, (id) => this.training.cancelJob(keyId, id)));
  }

  private async each(ids: readonly (string | null)[], cancel: (id: string) => Promise<unknown>): Promise<void> {
    for (const id of ids)
      try {
        if (id !== null) await cancel(id);
      } catch (error) {
        if (!OVER.some((type) => error instanceof type)) this.logger.warn(error, `${id} could not be cancelled.`);
      }
  }
}
