import { Inject, Injectable } from '@nestjs/common';
import { findBaseModel } from '@hone/engine';

import { BASE_MODELS_CONFIG, type BaseModelsConfig } from './base-models.config.js';

/** A base model's folder, and how large a model may be. */
export interface BaseFolder {
  readonly directory: string;
  readonly maxParams: number;
}

/** Base models by their ids. */
@Injectable()
export class BaseModels {
  constructor(@Inject(BASE_MODELS_CONFIG) private readonly config: BaseModelsConfig) {}

  /** @throws EngineError `engine.base_model_unsupported`: it is in none of the folders */
  async find(id: string): Promise<BaseFolder> {
    const { maxParams, ...sources } = this.config;
    return { directory: await findBaseModel(id, sources), maxParams };
  }
}
