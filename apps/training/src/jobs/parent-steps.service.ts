import type { TrainingConfigDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { CheckpointAliasNotFoundError } from '../checkpoints/checkpoint.errors.js';
import { CheckpointAliasRepository } from '../checkpoints/checkpoint-alias.repository.js';
import type { ModelRecord } from '../models/model.record.js';

/** Finds the step that a job is to start from. */
@Injectable()
export class ParentSteps {
  constructor(private readonly aliases: CheckpointAliasRepository) {}

  /**
   * The settings with the step in place of an alias, which may move.
   *
   * @throws CheckpointAliasNotFoundError
   */
  async fix<Config extends TrainingConfigDto>(model: ModelRecord, config: Config | null): Promise<Config | null> {
    const name = config?.parent_alias ?? null;
    if (config === null || name === null) return config;
    const alias = await this.aliases.find(model, name);
    if (alias === null) throw new CheckpointAliasNotFoundError(name);
    return { ...config, parent_alias: null, parent_step: alias.step };
  }
}
