import type { TrainingJobDto } from '@hone/contracts';
import { JobReader, type TrainingJobRecord } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import type { OwningProject } from '../access/training-access.js';
import { toTrainingJob } from './job.mapper.js';
import { JobProjectRepository } from './job-project.repository.js';

/** Jobs as they are answered, with what their rows do not hold: names, and positions in the queue. */
@Injectable()
export class JobViews {
  constructor(
    private readonly jobs: JobReader,
    private readonly projects: JobProjectRepository,
  ) {}

  async of(job: TrainingJobRecord, owning: OwningProject): Promise<TrainingJobDto> {
    const positions = await this.positions([job]);
    return toTrainingJob(job, { owning, queuePosition: positions.get(job.id), now: new Date() });
  }

  async ofAll(jobs: readonly TrainingJobRecord[]): Promise<TrainingJobDto[]> {
    const owning = await this.projects.findOwning(jobs.map(({ projectId }) => projectId));
    const positions = await this.positions(jobs);
    const now = new Date();
    return jobs.map((job) =>
      toTrainingJob(job, {
        owning: owning.get(job.projectId) as OwningProject,
        queuePosition: positions.get(job.id),
        now,
      }),
    );
  }

  private positions(jobs: readonly TrainingJobRecord[]): Promise<Map<string, number>> {
    return this.jobs.queuePositions(jobs.filter(({ status }) => status === 'queued').map(({ id }) => id));
  }
}
