import { Injectable } from '@nestjs/common';
import type { Principal } from '@hone/auth';
import { JobReader, type TrainingJobRecord } from '@hone/training-jobs';

import { type Place, TrainingAccess } from '../access/training-access.js';
import { JobPlaceRepository } from './job-place.repository.js';
import { JobNotFoundError } from './jobs.errors.js';

/** A job that the caller may see, and where it lies. */
export interface PlacedJob {
  job: TrainingJobRecord;
  place: Place;
}

const WHAT = 'this training job';

/** Finds jobs by their id alone, for callers who may see or change them. */
@Injectable()
export class JobAccess {
  constructor(
    private readonly jobs: JobReader,
    private readonly places: JobPlaceRepository,
    private readonly access: TrainingAccess,
  ) {}

  /** @throws JobNotFoundError, AccessDeniedError */
  async getReadable(caller: Principal, jobId: string): Promise<PlacedJob> {
    const found = await this.get(jobId);
    await this.access.assertMayRead(caller, found.place, WHAT);
    return found;
  }

  /** @throws JobNotFoundError, AccessDeniedError */
  async getWritable(caller: Principal, jobId: string): Promise<PlacedJob> {
    const found = await this.get(jobId);
    await this.access.assertMayWrite(caller, found.place, WHAT);
    return found;
  }

  private async get(jobId: string): Promise<PlacedJob> {
    const job = await this.jobs.findJob(jobId);
    const place = job && (await this.places.findPlaces([job.projectId])).get(job.projectId);
    if (!job || !place) throw new JobNotFoundError(jobId);
    return { job, place };
  }
}
