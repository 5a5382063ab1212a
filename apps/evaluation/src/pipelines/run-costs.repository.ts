import { toUsd } from '@hone/calls';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { PipelineRunRecord } from './pipeline.record.js';

/** What runs of pipelines have spent. */
@Injectable()
export class RunCosts {
  constructor(private readonly database: Database) {}

  /** US dollars of its evaluation: models answered, and judges judged. */
  async of({ projectRowId, steps }: PipelineRunRecord): Promise<number> {
    const ids = steps.flatMap(({ evaluation_job_id: id }) => id ?? []);
    if (ids.length === 0) return 0;
    const jobs = await this.database.client.evaluationJob.findMany({
      where: { projectId: projectRowId, id: { in: ids } },
      select: { costNanoUsd: true },
    });
    return toUsd(jobs.reduce((sum, { costNanoUsd }) => sum + Number(costNanoUsd), 0));
  }
}
