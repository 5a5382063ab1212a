import { AccessDeniedError, type Principal, ProjectAccess } from '@hone/auth';
import { formatTrainedModelRef, isProjectName, type TrainedModelRef } from '@hone/contracts';
import { isDatabaseUnavailable, NotificationListener } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { DatabaseDownError } from '../../shared/errors/unavailable.errors.js';
import { SYSTEM_CLOCK } from '../../shared/time/clock.js';
import type { ListedModel } from '../routes/listed-model.js';
import { RefDirectory } from './ref-directory.js';
import { type ResolvedRef, stepOf } from './trained-model.js';
import { TrainedModelsRepository } from './trained-models.repository.js';

type Named = Pick<ResolvedRef['model'], 'entity' | 'project' | 'name'>;

/** Trained models, as far as a caller may read them. */
@Injectable()
export class TrainedModels {
  private readonly directory: RefDirectory;

  constructor(
    private readonly repository: TrainedModelsRepository,
    private readonly access: ProjectAccess,
    private readonly scheme: RefScheme,
    notifications: NotificationListener,
  ) {
    this.directory = new RefDirectory(repository, SYSTEM_CLOCK, () => notifications.isListening);
  }

  /**
   * What a reference means now. Null: there is no such model or step, or the caller may not know of it.
   *
   * @throws GatewayError 429 rate limit on the look-ups of this key; 503 the database is unavailable
   */
  async find(ref: TrainedModelRef, caller: Principal): Promise<ResolvedRef | null> {
    // Other names cannot exist, and Postgres refuses some of them.
    if (!isProjectName(ref.name) || !ref.name.isWellFormed() || !ref.project.isWellFormed()) return null;
    return (await this.mayRead(ref, caller)) ? this.directory.find(ref, caller.keyId) : null;
  }

  /** Newest first: each model that the caller may read, and its newest checkpoints. @throws GatewayError 503 */
  async list({ isAdmin, roles, onlyProject }: Principal): Promise<ListedModel[]> {
    if (!isAdmin && roles.size === 0) return [];
    const entities = isAdmin ? null : [...roles.keys()];
    const listed = await orUnavailable(this.repository.list({ entities, onlyProject }));
    return listed.map(({ model, step, createdAt }) => ({
      id: this.nameOf(model, step),
      created: toSeconds(createdAt),
      ownedBy: model.entity,
      root: model.baseModel,
    }));
  }

  /** One entry of the list, by any form of its reference; a checkpoint that is too old to be listed has one too. */
  async findListed(ref: TrainedModelRef, caller: Principal): Promise<ListedModel | null> {
    const found = await this.find(ref, caller);
    if (found === null) return null;
    const { model, checkpoint } = found;
    const step = ref.step === 'latest' ? null : ref.step;
    const created = (step === null ? null : checkpoint?.createdAt) ?? model.createdAt;
    return { id: this.nameOf(model, step), created: toSeconds(created), ownedBy: model.entity, root: model.baseModel };
  }

  /** Whether the caller may know of it, by the roles that are known: a role of a moment ago may not count yet. */
  isReadable({ entity, project }: TrainedModelRef, caller: Principal): boolean {
    try {
      this.access.assertRole(caller, 'inference', `${entity}/${project}`, 'reader');
      return true;
    } catch {
      return false;
    }
  }

  /** `model` of answers at a pinned step. */
  pinnedName(ref: ResolvedRef): string {
    return this.nameOf(ref.model, stepOf(ref));
  }

  /**
   * The model has changed.
   *
   * @returns its newest checkpoint when the model is in use: requests for it come soon; else null
   */
  async invalidate(modelId: string): Promise<ResolvedRef | null> {
    return this.directory.invalidate(modelId) ? this.repository.findNewest(modelId) : null;
  }

  /** Notifications may have been missed. */
  invalidateAll(): void {
    this.directory.invalidateAll();
  }

  private nameOf({ entity, project, name }: Named, step: number | string | null): string {
    return formatTrainedModelRef({ scheme: this.scheme.name, entity, project, name, ...(step !== null && { step }) });
  }

  private async mayRead(ref: TrainedModelRef, caller: Principal): Promise<boolean> {
    if (this.isReadable(ref, caller)) return true;
    // A role that was granted a moment ago counts; checking it costs as much as a look-up of a model.
    await this.directory.spend(caller.keyId);
    return orUnavailable(this.mayReadNow(caller, `${ref.entity}/${ref.project}`));
  }

  private async mayReadNow(caller: Principal, projectId: string): Promise<boolean> {
    try {
      await this.access.findReadable(caller, 'inference', projectId);
      return true;
    } catch (error) {
      if (error instanceof AccessDeniedError) return false;
      throw error;
    }
  }
}

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? new DatabaseDownError() : error;
  }
}
