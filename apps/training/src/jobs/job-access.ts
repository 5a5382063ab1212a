import type { Principal } from '@hone/auth';
import { JobReader, type TrainingJobRecord } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { type OwningProject, TrainingAccess } from '../access/training-access.js';
import { JobProjectRepository } from './job-project.repository.js';
import { JobNotFoundError } from './jobs.errors.js';

/** A job that the caller may see, and the project that it belongs to. */
export interface OwnedJob {
  job: TrainingJobRecord;
  owning: OwningProject;
}

const WHAT = 'this training job';

/** Finds jobs by their id alone, for callers who may see or change them. */
@Injectable()
export class JobAccess {
  constructor(
    private readonly jobs: JobReader,
    private readonly projects: JobProjectRepository,
    private readonly access: TrainingAccess,
  ) {}

  /** @throws JobNotFoundError, AccessDeniedError */
  async getReadable(caller: Principal, jobId: string): Promise<OwnedJob> {
    const found = await this.get(jobId);
    await this.access.assertMayRead(caller, found.owning, WHAT);
    return found;
  }

  /** @throws JobNotFoundError, AccessDeniedError */
  async getWritable(caller: Principal, jobId: string): Promise<OwnedJob> {
    const found = await this.get(jobId);
    await this.access.assertMayWrite(caller, found.owning, WHAT);
    return found;
  }

  private async get(jobId: string): Promise<OwnedJob> {
    const job = await this.jobs.findJob(jobId);
    const owning = job && (await this.projects.findOwning([job.projectId])).get(job.projectId);
    if (!job || !owning) throw new JobNotFoundError(jobId);
    return { job, owning };
  }
}
