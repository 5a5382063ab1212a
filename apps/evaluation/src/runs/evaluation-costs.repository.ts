import { toUsd } from '@hone/calls';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** What evaluations have spent. */
@Injectable()
export class EvaluationCosts {
  constructor(private readonly database: Database) {}

  /** US dollars of evaluations together: models answered, and judges judged. */
  async of(projectRowId: string, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const jobs = await this.database.client.evaluationJob.findMany({
      where: { projectId: projectRowId, id: { in: [...ids] } },
      select: { costNanoUsd: true },
    });
    return toUsd(jobs.reduce((sum, { costNanoUsd }) => sum + Number(costNanoUsd), 0));
  }
}
