import type { Principal } from '@hone/auth';
import type { TrainingJobDto, TrainingJobPageDto, TrainingJobsQueryDto } from '@hone/contracts';
import { JobControl, type JobFilter, JobReader } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { TrainingAccess } from '../access/training-access.js';
import { toOrderedPageQuery, toPage, unknownCursor } from '../http/page.js';
import { JobAccess } from './job-access.js';
import { JobProjectRepository } from './job-project.repository.js';
import { JobViews } from './job-views.js';
import { JobAlreadyFinishedError, JobNotFoundError } from './jobs.errors.js';

/** Reads, lists and cancels training jobs. */
@Injectable()
export class JobsService {
  constructor(
    private readonly control: JobControl,
    private readonly reader: JobReader,
    private readonly jobs: JobAccess,
    private readonly projects: JobProjectRepository,
    private readonly views: JobViews,
    private readonly access: TrainingAccess,
  ) {}

  /** @throws JobNotFoundError, AccessDeniedError */
  async get(caller: Principal, jobId: string): Promise<TrainingJobDto> {
    const { job, owning } = await this.jobs.getReadable(caller, jobId);
    return this.views.of(job, owning);
  }

  /**
   * Ends a queued job at once; a running one stops after its gradient step. A repeated cancel gets the same answer.
   *
   * @throws JobNotFoundError, AccessDeniedError
   * @throws JobAlreadyFinishedError it has succeeded or failed
   */
  async cancel(caller: Principal, jobId: string): Promise<TrainingJobDto> {
    const { owning } = await this.jobs.getWritable(caller, jobId);
    const result = await this.control.cancelJob(jobId, caller.userId);
    switch (result.outcome) {
      case 'cancelled':
        return this.views.of(result.job, owning);
      case 'already_finished':
        throw new JobAlreadyFinishedError(jobId, result.job.status);
      case 'no_job':
        throw new JobNotFoundError(jobId);
    }
  }

  /**
   * The jobs of the projects that the caller may read, newest first.
   *
   * @throws ValidationError, AccessDeniedError
   */
  async list(caller: Principal, query: TrainingJobsQueryDto): Promise<TrainingJobPageDto> {
    const { after, limit, order } = toOrderedPageQuery(query, 'desc');
    const { entity, project, model_id: modelId, kind, status } = query;
    const visible = await this.projects.findVisible(this.access.visibleTo(caller, entity), { entity, project });
    const filter: JobFilter = { projectIds: visible ?? undefined, modelId, kind };
    if (after !== undefined) await this.assertListed(after, filter);
    // One that has another status by now is still a position in the list.
    const page = { after: after ?? null, limit, order };
    const { records, hasMore } = await this.reader.listJobs({ ...filter, status }, page);
    return { ...toPage(await this.views.ofAll(records), limit), has_more: hasMore };
  }

  private async assertListed(jobId: string, { projectIds, modelId, kind }: JobFilter): Promise<void> {
    const job = await this.reader.findJob(jobId);
    const isListed =
      job !== null &&
      (projectIds === undefined || projectIds.includes(job.projectId)) &&
      (modelId === undefined || modelId === job.modelId) &&
      (kind === undefined || kind === job.kind);
    if (!isListed) throw unknownCursor();
  }
}
