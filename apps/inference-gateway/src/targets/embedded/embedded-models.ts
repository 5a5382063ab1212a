import { join } from 'node:path';

import {
  type BaseModelSources,
  type CheckpointChoice,
  ConstraintProbe,
  EngineError,
  findBaseModel,
  type GenerationRequest,
  openBaseModel,
  ServingEngine,
  type ServingEngineOptions,
} from '@hone/engine';
import { Logger } from '@nestjs/common';

import { BaseModelWatcher } from './base-model-watcher.js';
import { EmbeddedBase } from './embedded-base.js';
import { EmbeddedTarget } from './embedded-target.js';

/** Folder of the models that are part of this repository. */
export const BUNDLED_MODELS = join(import.meta.dirname, '../../../../../models');

export interface EmbeddedModelsOptions {
  readonly sources: BaseModelSources;
  readonly engine?: ServingEngineOptions;
}

/** A loaded base model, with a cache of the constraints that compile on it. */
interface OpenBase {
  readonly base: EmbeddedBase;
  readonly constraints: ConstraintProbe;
}

/** The models that this process serves itself: each is opened once (single-flight), at its first use, and kept. */
export class EmbeddedModels {
  /** The base models in local folders that load. Before the first look it knows none. */
  readonly folders: BaseModelWatcher;
  private readonly log = new Logger('BaseModels');
  private readonly engine: ServingEngine;
  private readonly bases = new Map<string, Promise<OpenBase>>();

  constructor(private readonly options: EmbeddedModelsOptions) {
    this.engine = ServingEngine.start(options.engine);
    this.folders = new BaseModelWatcher(options.sources, { maxParams: options.engine?.maxParams });
  }

  /**
   * Loads a base model, once.
   *
   * @param id `hone-tiny`, `my-model` or `owner/name`
   * @throws EngineError `engine.base_model_...`: the model is missing, or cannot be served
   */
  async open(id: string): Promise<EmbeddedBase> {
    return (await this.opened(id)).base;
  }

  /**
   * Creates a target for a base model, or for a checkpoint of it.
   *
   * @param trainedName `model` of its answers, for a trained model at one step, with or without a checkpoint
   * @throws EngineError as {@link open}
   */
  async target(
    id: string,
    checkpoint: CheckpointChoice | null = null,
    trainedName: string | null = null,
  ): Promise<EmbeddedTarget> {
    const { base, constraints } = await this.opened(id);
    return new EmbeddedTarget(base, constraints, checkpoint, 'local', trainedName);
  }

  /**
   * Loads a checkpoint before the first request needs it.
   *
   * @throws EngineError as {@link open}, or `storage.corrupt`
   */
  async attach(id: string, checkpoint: CheckpointChoice): Promise<void> {
    const { model } = await this.open(id);
    await this.engine.attach(model.directory, checkpoint);
  }

  close(): Promise<void> {
    this.folders.stop();
    return this.engine.close();
  }

  private opened(id: string): Promise<OpenBase> {
    const known = this.bases.get(id);
    if (known) return known;
    const opening = this.load(id);
    this.bases.set(id, opening);
    opening.catch((error: Error) => {
      // A failure is not cached: the next call opens the model again, which may be repaired by then.
      this.bases.delete(id);
      // Whoever asks for the model learns that it is not served; why is for those who run it. That it stops, they know.
      if (!(error instanceof EngineError && error.code === 'engine.closed'))
        this.log.warn(`The base model ${id} could not be opened: ${error.message}`);
    });
    return opening;
  }

  private async load(id: string): Promise<OpenBase> {
    const directory = await findBaseModel(id, this.options.sources);
    const model = await openBaseModel(directory, { maxParams: this.options.engine?.maxParams });
    const [info, digest] = await Promise.all([this.engine.loadBase(directory), model.digest()]);
    const base = new EmbeddedBase(id, model, info, digest, this.engine);
    const generate = (request: GenerationRequest) =>
      this.engine.generate({ base: model.directory, checkpoint: null }, request);
    return { base, constraints: new ConstraintProbe(generate) };
  }
}
