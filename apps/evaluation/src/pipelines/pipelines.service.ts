import { AccessDeniedError, type Principal } from '@hone/auth';
import type {
  PipelineCreateDto,
  PipelineDto,
  PipelineListDto,
  PipelineRunDto,
  PipelineRunPageDto,
  Role,
} from '@hone/contracts';
import { newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import { assertGateForm } from '../gates/settings/gate-form.js';
import { EvaluationCosts } from '../runs/evaluation-costs.repository.js';
import { toPipelineDto, toPipelineRunDto } from './pipeline.mapper.js';
import type { PipelineRecord, PipelineRunRecord } from './pipeline.record.js';
import { PAGE, PipelineRunsRepository } from './pipeline-runs.repository.js';
import { PipelineSafety } from './pipeline-safety.service.js';
import {
  PipelineNameTakenError,
  PipelineNotFoundError,
  PipelineRunEndedError,
  PipelineRunningError,
  PipelineRunNotFoundError,
  PipelineUnsafeError,
  TooManyPipelinesError,
} from './pipelines.errors.js';
import { PipelinesRepository } from './pipelines.repository.js';
import { stepOf } from './run-steps.js';
import { WorkCancel } from './work-cancel.service.js';

const MAX_PIPELINES = 50;
/** Whoever lets something be promoted by itself. */
export const PIPELINE_ROLE: Role = 'owner';

/** Loops that train, compare and promote by themselves. */
@Injectable()
export class PipelinesService {
  constructor(
    private readonly pipelines: PipelinesRepository,
    private readonly runs: PipelineRunsRepository,
    private readonly safety: PipelineSafety,
    private readonly cancelling: WorkCancel,
    private readonly costs: EvaluationCosts,
    private readonly access: EvaluationAccess,
  ) {}

  /**
   * @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError
   * @throws PipelineUnsafeError it could do harm, and the error says what is missing
   * @throws PipelineNameTakenError, TooManyPipelinesError
   */
  async create(author: Principal, body: PipelineCreateDto): Promise<PipelineDto> {
    const project = await this.access.project(author, body.project_id, PIPELINE_ROLE);
    for (const scope of ['inference', 'training'] as const)
      if (!author.scopes.has(scope)) throw AccessDeniedError.needsScope(scope);
    assertGateForm(body.gate, ['body', 'gate']);
    await this.assertSafe(author, project, body);
    if ((await this.pipelines.list(project.rowId)).length >= MAX_PIPELINES)
      throw new TooManyPipelinesError(MAX_PIPELINES);
    const id = newId();
    const isMade = await this.pipelines.create({
      ...{ id, projectRowId: project.rowId, settings: body, isPaused: body.paused ?? false },
      ...{ keyId: author.keyId, createdBy: author.userId },
    });
    if (!isMade) throw new PipelineNameTakenError(body.name);
    return toPipelineDto(await this.read(id), [], null);
  }

  /** @throws AccessDeniedError, PipelineNotFoundError */
  async get(caller: Principal, id: string): Promise<PipelineDto> {
    const pipeline = await this.find(caller, id, 'reader');
    const missing = await this.missing(caller, pipeline);
    return toPipelineDto(pipeline, missing, await this.lastRun(pipeline));
  }

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string): Promise<PipelineListDto> {
    const { rowId } = await this.access.project(caller, projectId, 'reader');
    const found = await this.pipelines.list(rowId);
    const pipelines: PipelineDto[] = [];
    for (const pipeline of found)
      pipelines.push(toPipelineDto(pipeline, await this.missing(caller, pipeline), await this.lastRun(pipeline)));
    return { pipelines };
  }

  /** From now on it runs in the name of whoever changed it. @throws AccessDeniedError, PipelineNotFoundError, PipelineUnsafeError */
  async update(caller: Principal, id: string, isPaused: boolean): Promise<PipelineDto> {
    const pipeline = await this.find(caller, id, PIPELINE_ROLE);
    if (!isPaused) await this.assertSafe(caller, projectOf(pipeline), pipeline.settings);
    await this.pipelines.setPaused(id, isPaused, { keyId: caller.keyId, createdBy: caller.userId });
    return this.get(caller, id);
  }

  /** A run that has not ended is cancelled. What it made stays. @throws AccessDeniedError, PipelineNotFoundError */
  async delete(caller: Principal, id: string): Promise<void> {
    const pipeline = await this.find(caller, id, PIPELINE_ROLE);
    const last = (await this.runs.newest([pipeline])).get(id);
    if (last && last.endedAt === null) await this.endRun(caller, pipeline, last);
    await this.pipelines.delete(pipeline);
  }

  /** Starts a run now, also of a pipeline that is paused. @throws AccessDeniedError, PipelineNotFoundError, PipelineUnsafeError, PipelineRunningError */
  async start(caller: Principal, id: string): Promise<PipelineRunDto> {
    const pipeline = await this.find(caller, id, PIPELINE_ROLE);
    await this.assertSafe(caller, projectOf(pipeline), pipeline.settings);
    const run = await this.pipelines.start(id, 'request');
    if (run === null) throw new PipelineRunningError(id);
    return this.toRun(await this.readRun(run));
  }

  /** @param cursor id of the last one of the page before. @throws AccessDeniedError, PipelineNotFoundError */
  async listRuns(caller: Principal, id: string, cursor: string | undefined): Promise<PipelineRunPageDto> {
    const pipeline = await this.find(caller, id, 'reader');
    const found = await this.runs.list(pipeline, cursor);
    const page = found.slice(0, PAGE);
    const runs: PipelineRunDto[] = [];
    for (const run of page) runs.push(await this.toRun(run));
    return { runs, next_cursor: found.length > PAGE ? (page.at(-1) as PipelineRunRecord).id : null };
  }

  /** @throws AccessDeniedError, PipelineRunNotFoundError */
  async getRun(caller: Principal, id: string): Promise<PipelineRunDto> {
    return this.toRun((await this.findRun(caller, id, 'reader')).run);
  }

  /** @throws AccessDeniedError, PipelineRunNotFoundError, PipelineRunEndedError */
  async cancelRun(caller: Principal, id: string): Promise<PipelineRunDto> {
    const { pipeline, run } = await this.findRun(caller, id, PIPELINE_ROLE);
    if (!(await this.endRun(caller, pipeline, run))) throw new PipelineRunEndedError(id, run.status);
    return this.toRun(await this.readRun(id));
  }

  /** With what it works on. @returns false: it has ended before */
  private async endRun(caller: Principal, { keyId }: PipelineRecord, run: PipelineRunRecord): Promise<boolean> {
    if (!(await this.runs.end(run.id, { status: 'cancelled', reason: 'Somebody cancelled it.' }))) return false;
    const { training_job_id: job, evaluation_job_id: evaluation, gate_id: gate } = stepOf(run.steps);
    await this.cancelling.cancel(caller, { keyId, trainingJobs: [job], evaluations: [evaluation], gates: [gate] });
    return true;
  }

  private async assertSafe(caller: Principal, project: OwnProject, settings: PipelineCreateDto): Promise<void> {
    const missing = await this.safety.missing(caller, project, settings);
    if (missing.length > 0) throw new PipelineUnsafeError(missing);
  }

  private missing(caller: Principal, pipeline: PipelineRecord): Promise<string[]> {
    return this.safety.missing(caller, projectOf(pipeline), pipeline.settings).catch((error: Error) => [error.message]);
  }

  private async lastRun(pipeline: PipelineRecord): Promise<PipelineRunDto | null> {
    const run = (await this.runs.newest([pipeline])).get(pipeline.id);
    return run ? this.toRun(run) : null;
  }

  private async toRun(run: PipelineRunRecord): Promise<PipelineRunDto> {
    const evaluations = run.steps.flatMap(({ evaluation_job_id: id }) => id ?? []);
    return toPipelineRunDto(run, await this.costs.of(run.projectRowId, evaluations));
  }

  private async find(caller: Principal, id: string, needed: Role): Promise<PipelineRecord> {
    const pipeline = await this.read(id);
    await this.access.assertMayUse(caller, pipeline.projectId, needed, 'this pipeline');
    return pipeline;
  }

  private async findRun(caller: Principal, id: string, needed: Role) {
    const run = await this.readRun(id);
    const pipeline = await this.pipelines.find(run.pipelineId);
    if (!pipeline) throw new PipelineRunNotFoundError(id);
    await this.access.assertMayUse(caller, pipeline.projectId, needed, 'this pipeline run');
    return { pipeline, run };
  }

  private async read(id: string): Promise<PipelineRecord> {
    const pipeline = await this.pipelines.find(id);
    if (!pipeline) throw new PipelineNotFoundError(id);
    return pipeline;
  }

  private async readRun(id: string): Promise<PipelineRunRecord> {
    const run = await this.runs.find(id);
    if (!run) throw new PipelineRunNotFoundError(id);
    return run;
  }
}

const projectOf = ({ projectId, projectRowId }: PipelineRecord): OwnProject => ({ id: projectId, rowId: projectRowId });
