import { AuditLog, type Principal } from '@hone/auth';
import type {
  TrainableModelCreateDto,
  TrainableModelDeletedDto,
  TrainableModelDetailDto,
  TrainableModelDto,
  TrainableModelItemDto,
  TrainableModelsQueryDto,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { JobControl } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { projectIdOf, TrainingAccess } from '../access/training-access.js';
import { BaseModels } from '../base-models/base-models.js';
import { type Page, toOrderedPageQuery, toPage, unknownCursor } from '../http/page.js';
import { CheckpointNotifications } from './checkpoint-notifications.repository.js';
import { MetricMeansRepository } from './metric-means.repository.js';
import { BaseModelUnknownError, ModelNameTakenError } from './model.errors.js';
import { toModelDetail, toModelItem, toTrainableModel } from './model.mapper.js';
import type { ModelDraft, ModelRecord } from './model.record.js';
import { ModelRepository } from './model.repository.js';
import { ModelAccess } from './model-access.js';
import { ModelDeleteRepository } from './model-delete.repository.js';
import { ModelListRepository } from './model-list.repository.js';

/** A row that is in the way may vanish before it is read; then the name is free, and once is enough. */
const TRIES = 2;

@Injectable()
export class ModelsService {
  constructor(
    private readonly models: ModelRepository,
    private readonly lists: ModelListRepository,
    private readonly deletes: ModelDeleteRepository,
    private readonly means: MetricMeansRepository,
    private readonly modelAccess: ModelAccess,
    private readonly access: TrainingAccess,
    private readonly bases: BaseModels,
    private readonly jobs: JobControl,
    private readonly notifications: CheckpointNotifications,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly scheme: RefScheme,
  ) {}

  /**
   * Makes a model and its run, or answers the existing one, whatever base that has.
   *
   * @throws AccessDeniedError
   * @throws BaseModelUnknownError a new model would have a base that no job could train
   * @throws ModelNameTakenError a live model has the name, and `return_existing` is not true
   */
  async create(author: Principal, body: TrainableModelCreateDto): Promise<TrainableModelDto> {
    const grant = await this.access.grantWrite(author, body.entity, body.project);
    const others = (await this.bases.has(body.base_model)) ? null : await this.bases.list();
    return this.database.transaction(async () => {
      const projectId = await this.access.projectRowId(author, grant);
      const draft = { projectId, name: body.name, baseModel: body.base_model, createdBy: author.userId };
      const { model, isNew } = others ? await this.find(draft, others) : await this.insertOrFind(draft);
      if (!model || (!isNew && !body.return_existing)) throw new ModelNameTakenError(body.name, grant.projectId);
      return toTrainableModel(model);
    });
  }

  /** @param bases that a new model may have */
  private async find(
    { projectId, name }: ModelDraft,
    bases: string[],
  ): Promise<{ model: ModelRecord; isNew: boolean }> {
    const model = await this.models.findByName(projectId, name);
    if (!model) throw new BaseModelUnknownError(bases);
    return { model, isNew: false };
  }

  private async insertOrFind(draft: ModelDraft): Promise<{ model: ModelRecord | null; isNew: boolean }> {
    let model: ModelRecord | null = null;
    let isNew = false;
    for (let tries = 0; tries < TRIES && !model; tries++) {
      isNew = await this.models.insert(draft);
      model = await this.models.findByName(draft.projectId, draft.name);
    }
    if (model && isNew) await this.notifications.announce(model.id, [0]);
    return { model, isNew };
  }

  /**
   * Live models of the projects that the caller may read.
   *
   * @throws ValidationError
   * @throws AccessDeniedError `entity` is one on which the caller has no role
   */
  async list(caller: Principal, query: TrainableModelsQueryDto): Promise<Page<TrainableModelItemDto>> {
    const page = toOrderedPageQuery(query, 'asc');
    const { entity, project, name } = query;
    const visible = this.access.visibleTo(caller, entity);
    const isKnown = page.after === undefined || (await this.lists.wasVisible(visible, page.after));
    if (!isKnown) throw unknownCursor();
    const found = await this.lists.list(visible, { entity, project, name }, page);
    return toPage(
      found.map((model) => toModelItem(model, this.scheme.name)),
      page.limit,
    );
  }

  /** @throws ModelNotFoundError, AccessDeniedError */
  async get(caller: Principal, id: string): Promise<TrainableModelDetailDto> {
    const model = await this.modelAccess.getReadable(caller, id);
    const [facts, baseMetrics] = await Promise.all([this.models.facts(model), this.means.find(model, 0)]);
    return toModelDetail(model, facts, baseMetrics, this.scheme.name);
  }

  /**
   * Deletes a model with its run, checkpoints, log and artifacts, and cancels its jobs. Does not wait for the workers:
   * they lose their leases.
   *
   * @throws ModelNotFoundError, AccessDeniedError
   */
  async delete(caller: Principal, id: string): Promise<TrainableModelDeletedDto> {
    const model = await this.modelAccess.getWritable(caller, id);
    const { checkpoints, hadRun } = await this.database.transaction(async () => {
      await this.modelAccess.lock(model);
      await this.jobs.cancelModelJobs(model.projectId, id);
      const deleted = await this.deletes.deleteAll(model);
      await this.notifications.announce(id, [0]);
      const detail = { name: model.name, checkpoints: deleted.checkpoints };
      await this.audit.addOf(caller, projectIdOf(model), 'model.delete', detail, id);
      return deleted;
    });
    return { model_id: id, deleted_checkpoints: checkpoints, deleted_run: hadRun };
  }
}
