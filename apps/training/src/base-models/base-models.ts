import {
  countParameters,
  EMBEDDED_CAPABILITIES,
  EngineError,
  findBaseModel,
  listBaseModels,
  readDecoderShape,
} from '@hone/engine';
import { engineFor } from '@hone/tinker';
import { Inject, Injectable } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { BASE_MODELS_CONFIG, type BaseModelsConfig } from './base-models.config.js';

/** A base model's folder, and how large a model may be. */
export interface BaseFolder {
  readonly directory: string;
  /** Null: a training server has the weights, and Hone reads the configuration alone. */
  readonly maxParams: number | null;
  /** Tokens of the longest sequence that the engine takes; null: as many as the model. */
  readonly maxContext: number | null;
}

/** Base models by their ids. */
@Injectable()
export class BaseModels {
  constructor(
    @Inject(BASE_MODELS_CONFIG) private readonly config: BaseModelsConfig,
    @Inject(TRAINING_CONFIG) private readonly training: TrainingConfig,
  ) {}

  /** Ids of all that a job could train: in the folders, and at the training servers. */
  async list(): Promise<string[]> {
    const remote = this.training.engines.flatMap((engine) =>
      engine.kind === 'embedded' ? [] : [...engine.baseModels.keys()],
    );
    return [...new Set([...(await listBaseModels(this.config)), ...remote])];
  }

  /** Null: it cannot be read. */
  async parametersOf(id: string): Promise<number | null> {
    try {
      return countParameters(await readDecoderShape((await this.find(id)).directory));
    } catch (error) {
      if (error instanceof EngineError) return null;
      throw error;
    }
  }

  async has(id: string): Promise<boolean> {
    if (engineFor(this.training.engines, id).kind !== 'embedded') return true;
    try {
      await this.find(id);
      return true;
    } catch (error) {
      if (error instanceof EngineError) return false;
      throw error;
    }
  }

  /** @throws EngineError `engine.base_model_unsupported`: it is in none of the folders */
  async find(id: string): Promise<BaseFolder> {
    const { maxParams, ...sources } = this.config;
    const engine = engineFor(this.training.engines, id);
    if (engine.kind === 'embedded') {
      return { directory: await findBaseModel(id, sources), maxParams, maxContext: EMBEDDED_CAPABILITIES.maxContext };
    }
    const directory = engine.baseModels.get(id)?.path ?? (await findBaseModel(id, sources));
    return { directory, maxParams: null, maxContext: engine.maxContext };
  }
}
