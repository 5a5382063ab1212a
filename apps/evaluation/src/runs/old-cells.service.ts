import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { CellsRepository } from './cells.repository.js';
import { EvaluationJobsRepository } from './evaluation-jobs.repository.js';

/** Deletes the cells of evaluations that finished long ago. Their answers and scores stay as calls, their counts stay with the job. */
@Injectable()
export class OldCells {
  constructor(
    private readonly database: Database,
    private readonly jobs: EvaluationJobsRepository,
    private readonly cells: CellsRepository,
  ) {}

  /** Deletes some thousands of one job, in a short transaction. */
  async deleteSome(): Promise<void> {
    const job = await this.jobs.findOld();
    if (job === null) return;
    // Stores the counts of the job, unless it has them.
    await this.jobs.countsOf([job]);
    await this.database.transaction(async () => {
      if (!(await this.jobs.lockOld(job.id))) return;
      if (!(await this.cells.deleteSome(job.id))) await this.jobs.setCellsDeleted(job.id);
    });
  }
}
