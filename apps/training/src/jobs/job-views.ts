import { Injectable } from '@nestjs/common';
import type { TrainingJobDto } from '@hone/contracts';
import { JobReader, type TrainingJobRecord } from '@hone/training-jobs';

import type { Place } from '../access/training-access.js';
import { toTrainingJob } from './job.mapper.js';
import { JobPlaceRepository } from './job-place.repository.js';

/** Jobs as they are answered, with what their rows do not hold: names, and places in the queue. */
@Injectable()
export class JobViews {
  constructor(
    private readonly jobs: JobReader,
    private readonly places: JobPlaceRepository,
  ) {}

  async of(job: TrainingJobRecord, place: Place): Promise<TrainingJobDto> {
    const positions = await this.positions([job]);
    return toTrainingJob(job, { place, queuePosition: positions.get(job.id), now: new Date() });
  }

  async ofAll(jobs: readonly TrainingJobRecord[]): Promise<TrainingJobDto[]> {
    const places = await this.places.findPlaces(jobs.map(({ projectId }) => projectId));
    const positions = await this.positions(jobs);
    const now = new Date();
    return jobs.map((job) =>
      toTrainingJob(job, { place: places.get(job.projectId) as Place, queuePosition: positions.get(job.id), now }),
    );
  }

  private positions(jobs: readonly TrainingJobRecord[]): Promise<Map<string, number>> {
    return this.jobs.queuePositions(jobs.filter(({ status }) => status === 'queued').map(({ id }) => id));
  }
}
