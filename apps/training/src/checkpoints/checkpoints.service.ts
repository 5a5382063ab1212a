import { AuditLog, type Principal } from '@hone/auth';
import type { CheckpointDto, CheckpointsDeletedDto, CheckpointsQueryDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { projectIdOf } from '../access/training-access.js';
import { type Page, toOrderedPageQuery, toPage, unknownCursor } from '../http/page.js';
import { CheckpointNotifications } from '../models/checkpoint-notifications.repository.js';
import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import { CheckpointInSplitError } from './alias-split.errors.js';
import { AliasSplitRepository } from './alias-split.repository.js';
import { CheckpointAliasedError } from './checkpoint.errors.js';
import { toCheckpoint } from './checkpoint.mapper.js';
import { CheckpointRepository } from './checkpoint.repository.js';
import { CheckpointAliasRepository } from './checkpoint-alias.repository.js';

const MAX_STEP = 2_147_483_647;

@Injectable()
export class CheckpointsService {
  constructor(
    private readonly checkpoints: CheckpointRepository,
    private readonly aliases: CheckpointAliasRepository,
    private readonly splits: AliasSplitRepository,
    private readonly models: ModelAccess,
    private readonly notifications: CheckpointNotifications,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** @throws ValidationError, ModelNotFoundError, AccessDeniedError */
  async list(caller: Principal, modelId: string, query: CheckpointsQueryDto): Promise<Page<CheckpointDto>> {
    const { limit, after, order } = toOrderedPageQuery(query, 'asc');
    const model = await this.models.getReadable(caller, modelId);
    const start = after === undefined ? undefined : await this.checkpoints.findStep(model, after);
    if (start === null) throw unknownCursor();
    const found = await this.checkpoints.list(model, limit + 1, order, start);
    return toPage(found.map(toCheckpoint), limit);
  }

  /**
   * Deletes checkpoints; their bytes stay while a process reads them (pins). Steps without a checkpoint are no error.
   *
   * @throws ModelNotFoundError, AccessDeniedError
   * @throws CheckpointAliasedError, CheckpointInSplitError one of them has an alias, or a split names it; none is deleted
   */
  async delete(caller: Principal, modelId: string, steps: readonly number[]): Promise<CheckpointsDeletedDto> {
    const model = await this.models.getWritable(caller, modelId);
    const asked = [...new Set(steps)];
    const deleted = new Set(await this.deleteSteps(caller, model, asked));
    return { deleted_count: deleted.size, not_found_steps: asked.filter((step) => !deleted.has(step)) };
  }

  private async deleteSteps(caller: Principal, model: ModelRecord, steps: readonly number[]): Promise<number[]> {
    const possible = steps.filter((step) => step > 0 && step <= MAX_STEP);
    if (possible.length === 0) return [];
    return this.database.transaction(async () => {
      await this.models.lock(model);
      const aliased = await this.aliases.findOfSteps(model, possible);
      if (aliased) throw new CheckpointAliasedError(aliased);
      const naming = await this.splits.findNaming(model, possible);
      if (naming) throw new CheckpointInSplitError(naming);
      const deleted = await this.checkpoints.deleteSteps(model, possible);
      await this.notifications.announce(model.id, deleted);
      const detail = { name: model.name, count: deleted.length };
      if (deleted.length > 0) {
        await this.audit.addOf(caller, projectIdOf(model), 'checkpoints.delete', detail, model.id);
      }
      return deleted;
    });
  }
}
