import type { Principal } from '@hone/auth';
import type { TrainingJobDto } from '@hone/contracts';
import { resolvePreferenceConfig, resolveRlConfig, resolveSftConfig, warnOfRewards } from '@hone/engine';
import type { ReadBody } from '@hone/platform';
import type { JobWarning } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { ModelAccess } from '../models/model-access.js';
import { EngineCheck } from './engine-check.js';
import { JobIntake } from './job-intake.js';
import { JobViews } from './job-views.js';
import { LearningRates } from './learning-rates.service.js';
import type { LinesBody } from './lines-body.js';
import { ParentSteps } from './parent-steps.service.js';
import type { RlBody } from './rl-body.task.js';
import { RolloutOrders } from './rollout-orders.service.js';
import { type ResolvedData, TrainingData } from './training-data.js';

/** Creates training jobs. What is in their data is judged when they are planned. */
@Injectable()
export class JobsCreateService {
  constructor(
    private readonly models: ModelAccess,
    private readonly parents: ParentSteps,
    private readonly engines: EngineCheck,
    private readonly rates: LearningRates,
    private readonly intake: JobIntake,
    private readonly data: TrainingData,
    private readonly rollouts: RolloutOrders,
    private readonly views: JobViews,
  ) {}

  /**
   * Queues a reinforcement learning job; groups of the body are kept byte for byte, data that it names is fixed now.
   *
   * @throws ModelNotFoundError, ParentStepNotFoundError, CheckpointAliasNotFoundError, ArtifactNotFoundError, AccessDeniedError
   * @throws DataUrlTooLargeError, QueueFullError, StorageUnavailableError
   * @throws ParentElsewhereError, ValidationError (the model's engine cannot honour a setting)
   * @throws RolloutsNotConfiguredError, ScorerNotUsableError, EvaluationUnavailableError
   */
  async createRl(author: Principal, { content, bytes }: ReadBody<RlBody>): Promise<TrainingJobDto> {
    const model = await this.models.getWritable(author, content.modelId);
    const config = await this.parents.fix(model, content.config);
    this.engines.assertPossible(model, 'experimental_config', config);
    const plan = content.rollouts && (await this.rollouts.fix(author, model, content.rollouts));
    const data = plan ? plan.prompts : await this.dataOf(author, content);
    const filled = await this.rates.fill('rl', model.baseModel, config);
    const order = {
      kind: 'rl' as const,
      config: resolveRlConfig(filled.config),
      trainingDataUrl: data?.url,
      dataVersionId: data?.versionId,
      rollouts: plan?.settings,
      keyId: plan && author.keyId,
      parentStep: config?.parent_step,
      data: data ? {} : { groups_submitted: content.groups, trajectories: content.trajectories },
      warnings: [...content.warnings, ...filled.warnings, ...(data ? [] : rewardWarnings(content.rewards))],
    };
    const lines = data?.lines && { name: 'input.jsonl' as const, bytes: data.lines };
    const input = data ? lines : { name: 'input.json' as const, bytes: withoutMark(bytes) };
    return this.views.of(await this.intake.takeIn(author, model, order, input ?? null), model);
  }

  /** Null: the groups are in the body. */
  private async dataOf(author: Principal, { trainingDataUrl: url }: RlBody): Promise<ResolvedData | null> {
    return url === null ? null : this.data.resolve(author, url);
  }

  /**
   * Queues a job that learns from the lines of a file. An artifact's version is fixed now; the lines of a `data:` URL are
   * copied now.
   *
   * @throws ModelNotFoundError, ParentStepNotFoundError, CheckpointAliasNotFoundError, ArtifactNotFoundError, AccessDeniedError
   * @throws ValidationError (a malformed `data:` URL), DataUrlTooLargeError, QueueFullError, StorageUnavailableError
   * @throws ParentElsewhereError, ValidationError (the model's engine cannot honour a setting)
   */
  async createFromFile(
    author: Principal,
    kind: 'sft' | 'preference',
    { content }: ReadBody<LinesBody>,
  ): Promise<TrainingJobDto> {
    const model = await this.models.getWritable(author, content.modelId);
    const config = await this.parents.fix(model, content.config);
    this.engines.assertPossible(model, 'config', config);
    const { url, versionId, lines } = await this.data.resolve(author, content.trainingDataUrl);
    const validation = await this.data.resolveValidation(author, config);
    const filled = await this.rates.fill(kind, model.baseModel, config);
    // Lines of a data: URL are kept beside the job, not in it.
    const given = { ...filled.config, validation_data_url: validation?.url };
    const order = {
      kind,
      config: kind === 'sft' ? resolveSftConfig(given) : resolvePreferenceConfig(given),
      extraConfig: content.extraConfig,
      trainingDataUrl: url,
      dataVersionId: versionId,
      parentStep: config?.parent_step,
      data: {},
      warnings: [...content.warnings, ...filled.warnings],
    };
    const input = lines && { name: 'input.jsonl' as const, bytes: lines };
    const evaluated = validation && {
      ...validation,
      input: validation.lines && { name: 'validation.jsonl' as const, bytes: validation.lines },
    };
    return this.views.of(await this.intake.takeIn(author, model, order, input, evaluated), model);
  }
}

const rewardWarnings = (groups: readonly (readonly number[])[]): JobWarning[] =>
  warnOfRewards(groups).map(({ code, message, hint, loc }) => ({ code, message, hint, loc: loc.map(String) }));

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Not every reader of JSON takes a byte order mark. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
