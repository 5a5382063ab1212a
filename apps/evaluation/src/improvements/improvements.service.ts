import { AccessDeniedError, type Principal } from '@hone/auth';
import type { ImproveDto, ImprovementDto, ImprovementPageDto, Role } from '@hone/contracts';
import { newId } from '@hone/database';
import { ServiceRefusedError, ServiceUnavailableError } from '@hone/service-client';
import { Injectable, Logger } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import { assertGateForm } from '../gates/settings/gate-form.js';
import { PipelineSafety } from '../pipelines/pipeline-safety.service.js';
import { WorkCancel } from '../pipelines/work-cancel.service.js';
import { EvaluationCosts } from '../runs/evaluation-costs.repository.js';
import { ModelTraining } from '../services/model-training.service.js';
import { toCandidateDto, toImprovementDto } from './improvement.mapper.js';
import type { CandidateRecord, ImprovementRecord } from './improvement.record.js';
import { ImprovementData } from './improvement-data.service.js';
import { ImprovementPrompt } from './improvement-prompt.service.js';
import { ImprovementSettings } from './improvement-settings.service.js';
import {
  ImprovementEndedError,
  ImprovementImpossibleError,
  ImprovementNotFoundError,
  ImprovementUnsafeError,
  TooManyImprovementsError,
  TrainingUnavailableError,
} from './improvements.errors.js';
import { ImprovementsRepository, PAGE } from './improvements.repository.js';

const MAX_OPEN = 20;
/** Whoever lets something be promoted by itself. */
export const IMPROVER_ROLE: Role = 'owner';

/** Attempts to make models better by their judged calls. */
@Injectable()
export class ImprovementsService {
  private readonly logger = new Logger(ImprovementsService.name);

  constructor(
    private readonly improvements: ImprovementsRepository,
    private readonly data: ImprovementData,
    private readonly training: ModelTraining,
    private readonly settings: ImprovementSettings,
    private readonly safety: PipelineSafety,
    private readonly cancelling: WorkCancel,
    private readonly prompt: ImprovementPrompt,
    private readonly costs: EvaluationCosts,
    private readonly access: EvaluationAccess,
  ) {}

  /**
   * @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError
   * @throws ImprovementUnsafeError it could do harm, and the error says what is missing
   * @throws PromptNotFoundError, ImprovementImpossibleError, TrainingUnavailableError, TooManyImprovementsError
   */
  async create(author: Principal, body: ImproveDto): Promise<ImprovementDto> {
    const project = await this.access.project(author, body.project_id, IMPROVER_ROLE);
    for (const scope of ['inference', 'training'] as const)
      if (!author.scopes.has(scope)) throw AccessDeniedError.needsScope(scope);
    if (body.gate) assertGateForm(body.gate, ['body', 'gate']);
    await this.assertSafe(author, project, body);
    const prompt = body.prompt ? await this.prompt.versionOf(project, body.prompt) : null;
    const settings = { ...body, ...(prompt !== null && { prompt }) };
    if (body.dry_run) return this.propose(author, settings);
    if ((await this.improvements.countOpen(project.rowId)) >= MAX_OPEN) throw new TooManyImprovementsError(MAX_OPEN);
    const id = newId();
    await this.improvements.create({
      ...{ id, projectRowId: project.rowId, settings, keyId: author.keyId, createdBy: author.userId },
    });
    return this.toDto(await this.read(id));
  }

  /** @throws AccessDeniedError, ImprovementNotFoundError */
  async get(caller: Principal, id: string): Promise<ImprovementDto> {
    return this.toDto(await this.find(caller, id, 'reader'));
  }

  /** @param cursor id of the last one of the page before. @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string, cursor: string | undefined): Promise<ImprovementPageDto> {
    const { rowId } = await this.access.project(caller, projectId, 'reader');
    const found = await this.improvements.list(rowId, cursor);
    const page = found.slice(0, PAGE);
    const improvements: ImprovementDto[] = [];
    for (const improvement of page) improvements.push(await this.toDto(improvement));
    return { improvements, next_cursor: found.length > PAGE ? (page.at(-1) as ImprovementRecord).id : null };
  }

  /** With what it works on. What it made stays. @throws AccessDeniedError, ImprovementNotFoundError, ImprovementEndedError */
  async cancel(caller: Principal, id: string): Promise<ImprovementDto> {
    const improvement = await this.find(caller, id, IMPROVER_ROLE);
    const { keyId, candidates, evaluationIds, status } = improvement;
    const end = { status: 'cancelled', reason: 'Somebody cancelled it.' } as const;
    if (!(await this.improvements.end(id, end))) throw new ImprovementEndedError(id, status);
    await this.cancelling.cancel(caller, {
      ...{ keyId, evaluations: evaluationIds },
      trainingJobs: candidates.map(({ training_job_id: job }) => job),
      gates: candidates.map(({ gate_id: gate }) => gate),
    });
    for (const candidate of candidates) await this.prompt.cancel(caller, candidate);
    return this.toDto(await this.read(id));
  }

  private async propose(author: Principal, settings: ImproveDto): Promise<ImprovementDto> {
    const candidates = await this.explore(author, settings);
    const possible = candidates.filter(({ state }) => state === 'possible').map(({ method }) => method);
    const sentence =
      possible.length > 0 ? `It would try ${possible.join(', ')}.` : 'The calls allow none of the methods.';
    return {
      ...{ id: null, settings, status: 'proposed', step: null, sentence },
      ...{ current_step: null, dataset: null, current_run_id: null, candidates: candidates.map(toCandidateDto) },
      ...{ cost_usd: 0, created_by: author.userId, created_at: new Date().toISOString(), ended_at: null },
    };
  }

  private async explore({ keyId }: Principal, settings: ImproveDto): Promise<CandidateRecord[]> {
    try {
      const model = await this.training.modelOf({ keyId, modelId: settings.model_id });
      return await this.data.explore(keyId, model, settings);
    } catch (error) {
      if (error instanceof ServiceRefusedError) throw new ImprovementImpossibleError(error.message);
      if (!(error instanceof ServiceUnavailableError)) throw error;
      this.logger.warn(error, 'The training service did not answer.');
      throw new TrainingUnavailableError();
    }
  }

  private async assertSafe(caller: Principal, project: OwnProject, body: ImproveDto): Promise<void> {
    const gate = await this.settings.gateOf(project, body);
    const missing = await this.safety.missing(caller, project, { evaluate: body.evaluate, gate });
    if (missing.length > 0) throw new ImprovementUnsafeError(missing);
  }

  private async toDto(improvement: ImprovementRecord): Promise<ImprovementDto> {
    const cost = await this.costs.of(improvement.projectRowId, improvement.evaluationIds);
    return toImprovementDto(improvement, cost);
  }

  private async find(caller: Principal, id: string, needed: Role): Promise<ImprovementRecord> {
    const improvement = await this.read(id);
    await this.access.assertMayUse(caller, improvement.projectId, needed, 'this improvement');
    return improvement;
  }

  private async read(id: string): Promise<ImprovementRecord> {
    const improvement = await this.improvements.find(id);
    if (!improvement) throw new ImprovementNotFoundError(id);
    return improvement;
  }
}
