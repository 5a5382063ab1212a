import type { Principal } from '@hone/auth';
import type {
  DiagnosisDto,
  DiagnosisIssueDto,
  RolloutOrderDto,
  TrainingConfigDto,
  TrainingDataKind,
} from '@hone/contracts';
import { EngineError, readPromptLines, splitLines } from '@hone/engine';
import type { ReadBody } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { type BaseFolder, BaseModels } from '../base-models/base-models.js';
import { ParentStepNotFoundError } from '../jobs/jobs.errors.js';
import type { LinesBody } from '../jobs/lines-body.js';
import { ParentSteps } from '../jobs/parent-steps.service.js';
import type { RlBody } from '../jobs/rl-body.task.js';
import { RolloutOrders } from '../jobs/rollout-orders.service.js';
import { TrainingData } from '../jobs/training-data.js';
import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import { DataLines } from './data-lines.js';
import type { LinesCase } from './diagnose-lines.js';
import { DiagnosisRepository } from './diagnosis.repository.js';
import { type Diagnosis, MAX_ISSUES, reportFailure, toIssue } from './diagnosis-report.js';
import { oneChunk } from './one-chunk.js';
import { PlanningProcesses } from './planning-processes.js';

/** Says what would come of a job, without one: it is planned as a trainer would plan it. */
@Injectable()
export class DiagnosisService {
  constructor(
    private readonly models: ModelAccess,
    private readonly parents: ParentSteps,
    private readonly data: TrainingData,
    private readonly rollouts: RolloutOrders,
    private readonly lines: DataLines,
    private readonly processes: PlanningProcesses,
    private readonly diagnoses: DiagnosisRepository,
    private readonly bases: BaseModels,
  ) {}

  /**
   * @throws ModelNotFoundError, ParentStepNotFoundError, CheckpointAliasNotFoundError, ArtifactNotFoundError, AccessDeniedError, ValidationError, DataUrlTooLargeError
   * @throws BodiesBusyError, DiagnosisTooLargeError
   * @throws RolloutsNotConfiguredError, ScorerNotUsableError, EvaluationUnavailableError
   */
  async diagnoseRl(caller: Principal, { content, bytes }: ReadBody<RlBody>): Promise<DiagnosisDto> {
    const model = await this.models.getWritable(caller, content.modelId);
    const { trainingDataUrl: url } = content;
    const config = await this.parents.fix(model, content.config);
    const parentStep = await this.parentStepOf(model, config);
    if (content.rollouts) return this.diagnosePrompts(caller, model, content.rollouts, content.warnings);
    const found = url === null ? null : await this.lines.find(await this.data.resolve(caller, url));
    return this.withBase(model.baseModel, content, async (base) => {
      if (found && 'issue' in found) return notPlanned([found.issue]);
      const groups = found ? found : { body: bytes };
      return this.processes.run({ kind: 'rl', groups, config, base, parentStep });
    });
  }

  /**
   * @throws ModelNotFoundError, ParentStepNotFoundError, CheckpointAliasNotFoundError, ArtifactNotFoundError, AccessDeniedError, ValidationError, DataUrlTooLargeError
   * @throws BodiesBusyError, DiagnosisTooLargeError
   */
  async diagnoseFile(
    caller: Principal,
    kind: LinesCase['kind'],
    { content }: ReadBody<LinesBody>,
  ): Promise<DiagnosisDto> {
    const model = await this.models.getWritable(caller, content.modelId);
    const settings = await this.parents.fix(model, content.config);
    await this.parentStepOf(model, settings);
    const found = await this.lines.find(await this.data.resolve(caller, content.trainingDataUrl));
    const resolved = await this.data.resolveValidation(caller, settings);
    const validation = resolved && (await this.lines.find(resolved, ['config', 'validation_data_url']));
    const issues = [found, validation].flatMap((one) => (one && 'issue' in one ? [one.issue] : []));
    return this.withBase(model.baseModel, { ...content, groups: 0 }, async (base) => {
      if ('issue' in found || issues.some(isError)) return notPlanned(issues);
      const validationLines = validation && 'lines' in validation ? validation.lines : null;
      const diagnosis = await this.processes.run({ kind, lines: found.lines, validationLines, config: settings, base });
      return { ...diagnosis, issues: [...diagnosis.issues, ...issues] };
    });
  }

  /** Prompts and scorers are checked; nothing is sampled, so no more can be said. */
  private async diagnosePrompts(
    caller: Principal,
    model: ModelRecord,
    order: RolloutOrderDto,
    warnings: RlBody['warnings'],
  ): Promise<DiagnosisDto> {
    const { prompts } = await this.rollouts.fix(caller, model, order);
    const found = await this.lines.find(prompts, ['rollouts', 'prompts_url']);
    return this.withBase(model.baseModel, { groups: 0, warnings }, async () => {
      if ('issue' in found) return notPlanned([found.issue]);
      const lines = await readPromptLines(splitLines(oneChunk(found.lines)));
      return { ...notPlanned([]), groups_submitted: lines.length };
    });
  }

  /** What a job with the default settings would make of training data. @throws BodiesBusyError, DiagnosisTooLargeError */
  async diagnoseLines(model: ModelRecord, dataKind: TrainingDataKind, lines: Buffer): Promise<DiagnosisDto> {
    const data = { lines, validationLines: null };
    const parentStep = await this.diagnoses.findLatestStep(model);
    return this.withBase(model.baseModel, { groups: 0, warnings: [] }, async (base) =>
      this.processes.run(
        dataKind === 'rl'
          ? { kind: 'rl', groups: { lines }, config: null, base, parentStep }
          : dataKind === 'preference' || dataKind === 'thumbs'
            ? { ...data, kind: 'preference', config: dataKind === 'thumbs' ? { method: 'kto' } : null, base }
            : { ...data, kind: 'sft', config: null, base },
      ),
    );
  }

  /** Step that the job would start from; 0: the base. */
  private async parentStepOf(model: ModelRecord, config: TrainingConfigDto | null): Promise<number> {
    const asked = config?.parent_step ?? null;
    if (asked === null) return this.diagnoses.findLatestStep(model);
    if (asked > 0 && !(await this.diagnoses.hasStep(model, asked))) throw new ParentStepNotFoundError(asked);
    return asked;
  }

  private async withBase(
    baseModel: string,
    { groups, warnings }: Pick<RlBody, 'groups' | 'warnings'>,
    diagnose: (base: BaseFolder) => Promise<Diagnosis>,
  ): Promise<DiagnosisDto> {
    let diagnosis: Diagnosis;
    try {
      diagnosis = await diagnose(await this.bases.find(baseModel));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      diagnosis = reportFailure(error, groups);
    }
    const { inputTokens, ...report } = diagnosis;
    const issues = [...report.issues, ...warnings.map(toIssue)].slice(0, MAX_ISSUES);
    return { ...report, issues, estimated_seconds: await this.estimate(baseModel, inputTokens, report.ok) };
  }

  private async estimate(baseModel: string, tokens: number, isOk: boolean): Promise<number | null> {
    const pace = isOk && tokens > 0 ? await this.diagnoses.findPace(baseModel) : null;
    return pace ? tokens / pace : null;
  }
}

const isError = ({ severity }: DiagnosisIssueDto): boolean => severity === 'error';

/** What there is to say of data that was not read. */
const notPlanned = (issues: DiagnosisIssueDto[]): Diagnosis => ({ ...NOTHING, ok: !issues.some(isError), issues });

const NOTHING = {
  groups_submitted: 0,
  groups_trainable: 0,
  num_sequences: 0,
  trainable_tokens: 0,
  inputTokens: 0,
  trajectories: [],
};
