import type { Principal } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import { TrainingAccess } from '../access/training-access.js';
import { ModelNotFoundError } from './model.errors.js';
import type { ModelRecord } from './model.record.js';
import { ModelRepository } from './model.repository.js';

/** Models by the id in the request's path, for every feature of a model. */
@Injectable()
export class ModelAccess {
  constructor(
    private readonly models: ModelRepository,
    private readonly access: TrainingAccess,
  ) {}

  /** @throws ModelNotFoundError, AccessDeniedError */
  async getReadable(caller: Principal, id: string): Promise<ModelRecord> {
    const model = await this.get(id);
    await this.access.assertMayRead(caller, model, 'this model');
    return model;
  }

  /** @throws ModelNotFoundError, AccessDeniedError */
  async getWritable(caller: Principal, id: string): Promise<ModelRecord> {
    const model = await this.get(id);
    await this.access.assertMayWrite(caller, model, 'this model');
    return model;
  }

  /** The model of a name in the project of another one; null: there is none. Whoever may read one may read all. */
  findBeside({ projectId }: ModelRecord, name: string): Promise<ModelRecord | null> {
    return this.models.findByName(projectId, name);
  }

  /** Holds the row of a model for the ambient transaction. @throws ModelNotFoundError it was deleted in the meantime */
  async lock(model: ModelRecord): Promise<void> {
    if (!(await this.models.lock(model))) throw new ModelNotFoundError(model.id);
  }

  private async get(id: string): Promise<ModelRecord> {
    const model = await this.models.find(id);
    if (!model) throw new ModelNotFoundError(id);
    return model;
  }
}
