import type { Principal } from '@hone/auth';
import { toNanoUsd } from '@hone/calls';
import type { EvaluationJobCreateDto, EvaluationJobDto, EvaluationJobPageDto, Role } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { ScorerReader } from '../scorers/scorer-reader.service.js';
import { StoredObjects } from '../stored-objects/stored-objects.service.js';
import { toEvaluationJobDto } from './evaluation-job.mapper.js';
import type { CellCount, EvaluationJob } from './evaluation-job.record.js';
import {
  EvaluationJobFinishedError,
  EvaluationJobIncompleteError,
  EvaluationJobNotFoundError,
  EvaluationQueueFullError,
} from './evaluation-jobs.errors.js';
import { EvaluationJobsRepository, PAGE } from './evaluation-jobs.repository.js';
import { JobEnd } from './job-end.service.js';
import { assertForm } from './job-form.js';
import { JobPlanner } from './job-planner.service.js';

const DEFAULT_CONCURRENCY = 8;
const MAX_OPEN = 50;

/** Evaluations that the server runs. */
@Injectable()
export class EvaluationJobsService {
  constructor(
    private readonly jobs: EvaluationJobsRepository,
    private readonly planner: JobPlanner,
    private readonly ends: JobEnd,
    private readonly access: EvaluationAccess,
    private readonly objects: StoredObjects,
    private readonly scorers: ScorerReader,
    private readonly database: Database,
  ) {}

  /**
   * @throws AccessDeniedError, ProjectNotFoundError, EvaluationQueueFullError
   * @throws ValidationError, EvaluationNotFoundError, DatasetNotFoundError, PromptNotFoundError, ScorerNotFoundError,
   *   ScorerNotDefinedError, NameTakenError
   */
  async create(author: Principal, body: EvaluationJobCreateDto): Promise<EvaluationJobDto> {
    assertForm(body);
    const project = await this.access.project(author, body.project_id, 'writer');
    this.access.assertMayAskModels(author);
    if ((await this.jobs.countOpen(project.rowId)) >= MAX_OPEN) throw new EvaluationQueueFullError(MAX_OPEN);
    const id = newId();
    await this.database.transaction(async () => {
      const { plan, trials } = await this.planner.plan(author, project, body);
      await this.jobs.create({
        ...{ id, projectRowId: project.rowId, plan, trials },
        concurrency: body.concurrency ?? DEFAULT_CONCURRENCY,
        seed: body.seed ?? 0,
        maxCostNanoUsd: typeof body.max_cost_usd === 'number' ? toNanoUsd(body.max_cost_usd) : null,
        ...{ keyId: author.keyId, createdBy: author.userId },
      });
    });
    return this.toDto(await this.read(id));
  }

  /** @throws AccessDeniedError, EvaluationJobNotFoundError */
  async get(caller: Principal, id: string): Promise<EvaluationJobDto> {
    return this.toDto(await this.find(caller, id, 'reader'));
  }

  /** @param cursor id of the last one of the page before. @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string, cursor: string | undefined): Promise<EvaluationJobPageDto> {
    const { rowId } = await this.access.project(caller, projectId, 'reader');
    const found = await this.jobs.list(rowId, cursor);
    const page = found.slice(0, PAGE);
    const counts = await this.jobs.countsOf(page);
    const runs = page.map((job) => this.map(job, counts));
    return { runs, next_cursor: found.length > PAGE ? (page.at(-1) as EvaluationJob).id : null };
  }

  /** @throws AccessDeniedError, EvaluationJobNotFoundError, EvaluationJobFinishedError */
  async cancel(caller: Principal, id: string): Promise<EvaluationJobDto> {
    const job = await this.find(caller, id, 'writer');
    if (!(await this.ends.end(id, 'cancelled'))) throw new EvaluationJobFinishedError(id, job.status);
    return this.toDto(await this.read(id));
  }

  /**
   * Tries what failed once more, in the name of whoever made the evaluation.
   *
   * @throws AccessDeniedError, EvaluationJobNotFoundError, EvaluationJobIncompleteError, ScorerNotFoundError, ScorerNotDefinedError
   */
  async retry(caller: Principal, id: string): Promise<EvaluationJobDto> {
    const job = await this.find(caller, id, 'writer');
    const { projectId, projectRowId, plan, status } = job;
    this.access.assertMayAskModels(caller);
    if (status === 'cancelled' || status === 'budget_spent' || status === 'failed')
      throw new EvaluationJobIncompleteError(id, status);
    for (const scorer of plan.scorers) await this.scorers.read({ id: projectId, rowId: projectRowId }, scorer);
    await this.jobs.retry(job);
    return this.toDto(await this.read(id));
  }

  private async find(caller: Principal, id: string, needed: Role): Promise<EvaluationJob> {
    const job = await this.read(id);
    await this.access.assertMayUse(caller, job.projectId, needed, 'this evaluation');
    return job;
  }

  private async read(id: string): Promise<EvaluationJob> {
    const job = await this.jobs.find(id);
    if (!job) throw new EvaluationJobNotFoundError(id);
    return job;
  }

  private async toDto(job: EvaluationJob): Promise<EvaluationJobDto> {
    return this.map(job, await this.jobs.countsOf([job]));
  }

  private map(job: EvaluationJob, counts: readonly CellCount[]): EvaluationJobDto {
    const own = counts.filter(({ jobId }) => jobId === job.id);
    return toEvaluationJobDto(job, own, (version) => this.objects.refOf({ id: job.projectId }, version));
  }
}
