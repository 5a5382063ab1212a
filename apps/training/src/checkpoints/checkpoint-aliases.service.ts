import { AuditLog, type Principal } from '@hone/auth';
import type { CheckpointAliasDto, CheckpointAliasListDto, CheckpointAliasPutDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { projectIdOf } from '../access/training-access.js';
import { CheckpointNotifications } from '../models/checkpoint-notifications.repository.js';
import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import { toAliasSplit } from './alias-split.mapper.js';
import type { AliasSplit } from './alias-split.record.js';
import { AliasSplitRepository } from './alias-split.repository.js';
import {
  CheckpointAliasMovedError,
  CheckpointAliasNotFoundError,
  CheckpointNotFoundError,
  TooManyAliasesError,
} from './checkpoint.errors.js';
import { CheckpointRepository } from './checkpoint.repository.js';
import { type CheckpointAlias, CheckpointAliasRepository } from './checkpoint-alias.repository.js';

const MAX_ALIASES = 100;
const MAX_STEP = 2_147_483_647;

/** Names for checkpoints, which gateways obey at once: `<ref of the model>:<alias>`. */
@Injectable()
export class CheckpointAliasesService {
  constructor(
    private readonly aliases: CheckpointAliasRepository,
    private readonly splits: AliasSplitRepository,
    private readonly checkpoints: CheckpointRepository,
    private readonly models: ModelAccess,
    private readonly notifications: CheckpointNotifications,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** @throws ModelNotFoundError, AccessDeniedError */
  async list(caller: Principal, modelId: string): Promise<CheckpointAliasListDto> {
    const model = await this.models.getReadable(caller, modelId);
    const found = await this.aliases.list(model);
    const splits = new Map((await this.splits.list(model)).map((split) => [split.alias, split]));
    return { data: found.map((alias) => toAlias(model, alias, splits.get(alias.alias))) };
  }

  /**
   * Makes an alias, or moves it to another step. Of several that say the same `if_step`, one wins.
   *
   * @throws ModelNotFoundError, AccessDeniedError
   * @throws CheckpointAliasMovedError the alias is not at `if_step`
   * @throws CheckpointNotFoundError, TooManyAliasesError
   */
  async put(
    author: Principal,
    modelId: string,
    name: string,
    body: CheckpointAliasPutDto,
  ): Promise<CheckpointAliasDto> {
    const model = await this.models.getWritable(author, modelId);
    return this.database.transaction(async () => {
      await this.models.lock(model);
      const before = await this.aliases.find(model, name);
      const { step, if_step: expected } = body;
      const current = before?.step ?? null;
      if (expected !== undefined && expected !== current) throw new CheckpointAliasMovedError(name, current);
      await this.assertThere(model, step);
      const split = await this.splits.find(model, name);
      if (current === step) return toAlias(model, before as CheckpointAlias, split);
      if (before === null && (await this.aliases.list(model)).length >= MAX_ALIASES) {
        throw new TooManyAliasesError(MAX_ALIASES);
      }
      await this.aliases.put(model, name, step, author.userId);
      await this.changed(author, model, 'checkpoint_alias.put', { alias: name, step, step_before: current });
      return toAlias(model, (await this.aliases.find(model, name)) as CheckpointAlias, split);
    });
  }

  /** Its split goes with it. @returns what it was. @throws ModelNotFoundError, AccessDeniedError, CheckpointAliasNotFoundError */
  async delete(author: Principal, modelId: string, name: string): Promise<CheckpointAliasDto> {
    const model = await this.models.getWritable(author, modelId);
    return this.database.transaction(async () => {
      await this.models.lock(model);
      const before = await this.aliases.find(model, name);
      if (before === null) throw new CheckpointAliasNotFoundError(name);
      const split = await this.splits.find(model, name);
      await this.aliases.delete(model, name);
      await this.changed(author, model, 'checkpoint_alias.delete', { alias: name, step_before: before.step });
      return toAlias(model, before, split);
    });
  }

  private async assertThere(model: ModelRecord, step: number): Promise<void> {
    if (step === 0) return;
    const checkpoint = step > MAX_STEP ? null : await this.checkpoints.find(model, step);
    if (checkpoint === null) throw new CheckpointNotFoundError(String(step));
  }

  private async changed(
    author: Principal,
    model: ModelRecord,
    action: 'checkpoint_alias.put' | 'checkpoint_alias.delete',
    detail: Record<string, string | number | null>,
  ): Promise<void> {
    const projectId = projectIdOf(model);
    await this.audit.addOf(author, projectId, action, { ...detail, model: `${projectId}/${model.name}` }, model.id);
    await this.notifications.announce(model.id, [0]);
  }
}

const toAlias = ({ id }: ModelRecord, alias: CheckpointAlias, split: AliasSplit | null = null): CheckpointAliasDto => ({
  alias: alias.alias,
  model_id: id,
  step: alias.step,
  checkpoint_id: alias.checkpointId,
  split: split && toAliasSplit(id, split),
  updated_at: alias.updatedAt.toISOString(),
  updated_by: alias.updatedBy,
});
