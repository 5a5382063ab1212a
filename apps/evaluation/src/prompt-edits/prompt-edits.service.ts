import type { Principal } from '@hone/auth';
import { toNanoUsd } from '@hone/calls';
import type { PromptEditCreateDto, PromptEditDto, PromptEditPageDto, Role } from '@hone/contracts';
import { newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { StoredObjects } from '../stored-objects/stored-objects.service.js';
import { EditItemsRepository } from './edit-items.repository.js';
import { toPromptEditDto } from './prompt-edit.mapper.js';
import type { PromptEditJob } from './prompt-edit.record.js';
import { PromptEditPlanner } from './prompt-edit-planner.service.js';
import { PromptEditEndedError, PromptEditNotFoundError, TooManyPromptEditsError } from './prompt-edits.errors.js';
import { PAGE, PromptEditsRepository } from './prompt-edits.repository.js';
import { SearchSteps } from './search-steps.service.js';

const DEFAULT_EVALUATIONS = 100;
const MAX_OPEN = 20;

/** Jobs in which a model reads where a prompt failed, and edits it. */
@Injectable()
export class PromptEditsService {
  constructor(
    private readonly jobs: PromptEditsRepository,
    private readonly items: EditItemsRepository,
    private readonly planner: PromptEditPlanner,
    private readonly steps: SearchSteps,
    private readonly access: EvaluationAccess,
    private readonly objects: StoredObjects,
  ) {}

  /**
   * @throws AccessDeniedError, ProjectNotFoundError, TooManyPromptEditsError
   * @throws ValidationError, DatasetNotFoundError, PromptNotFoundError, ScorerNotFoundError, ScorerNotDefinedError
   */
  async create(author: Principal, body: PromptEditCreateDto): Promise<PromptEditDto> {
    const project = await this.access.project(author, body.project_id, 'writer');
    this.access.assertMayAskModels(author);
    if ((await this.jobs.countOpen(project.rowId)) >= MAX_OPEN) throw new TooManyPromptEditsError(MAX_OPEN);
    const seed = body.seed ?? 0;
    const maxEvaluations = body.max_evaluations ?? DEFAULT_EVALUATIONS;
    const plan = await this.planner.plan(project, body, seed, maxEvaluations);
    const id = newId();
    await this.jobs.create({
      ...{ id, projectRowId: project.rowId, plan, seed, maxEvaluations },
      maxCostNanoUsd: typeof body.max_cost_usd === 'number' ? toNanoUsd(body.max_cost_usd) : null,
      ...{ keyId: author.keyId, createdBy: author.userId },
    });
    return this.toDto(await this.read(id));
  }

  /** @throws AccessDeniedError, PromptEditNotFoundError */
  async get(caller: Principal, id: string): Promise<PromptEditDto> {
    return this.toDto(await this.find(caller, id, 'reader'));
  }

  /** @param cursor id of the last one of the page before. @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string, cursor: string | undefined): Promise<PromptEditPageDto> {
    const { rowId } = await this.access.project(caller, projectId, 'reader');
    const found = await this.jobs.list(rowId, cursor);
    const page = found.slice(0, PAGE);
    const items = await this.items.list(page.map(({ id }) => id));
    return {
      prompt_edits: page.map((job) => {
        const own = items.filter(({ jobId }) => jobId === job.id);
        return toPromptEditDto(job, own, null, this.refOf(job));
      }),
      next_cursor: found.length > PAGE ? (page.at(-1) as PromptEditJob).id : null,
    };
  }

  /** What was asked and scored stays. @throws AccessDeniedError, PromptEditNotFoundError, PromptEditEndedError */
  async cancel(caller: Principal, id: string): Promise<PromptEditDto> {
    await this.find(caller, id, 'writer');
    const isCancelled = await this.steps.end(id, { status: 'cancelled' });
    const job = await this.read(id);
    if (!isCancelled) throw new PromptEditEndedError(id, job.status);
    return this.toDto(job);
  }

  private async find(caller: Principal, id: string, needed: Role): Promise<PromptEditJob> {
    const job = await this.read(id);
    await this.access.assertMayUse(caller, job.projectId, needed, 'this edit of a prompt');
    return job;
  }

  private async read(id: string): Promise<PromptEditJob> {
    const job = await this.jobs.find(id);
    if (!job) throw new PromptEditNotFoundError(id);
    return job;
  }

  private async toDto(job: PromptEditJob): Promise<PromptEditDto> {
    return toPromptEditDto(job, await this.items.list([job.id]), await this.items.edits([job.id]), this.refOf(job));
  }

  private refOf =
    ({ projectId }: PromptEditJob) =>
    (version: PromptEditJob['plan']['prompt']): string =>
      this.objects.refOf({ id: projectId }, version);
}
