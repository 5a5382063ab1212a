import { join } from 'node:path';

import {
  BaseChangedError,
  type BaseModelSources,
  baseNameOf,
  type CheckpointChoice,
  ConstraintProbe,
  EngineError,
  findBaseModel,
  type GenerationRequest,
  openBaseModel,
  ServingEngine,
  type ServingEngineOptions,
  stateOfFolder,
  trainedBaseOf,
} from '@hone/engine';
import { Logger } from '@nestjs/common';

import { BaseModelWatcher } from './base-model-watcher.js';
import { EmbeddedBase } from './embedded-base.js';
import { EmbeddedTarget } from './embedded-target.js';
import { EmbeddedEmbedders } from './embeddings/embedded-embedders.js';
import { EmbeddingTarget } from './embeddings/embedding-target.js';
import { hasState } from './folder-state.js';

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
  /** Of its folder when it was opened. */
  readonly state: string;
}

/**
 * The models that this process serves itself: each is opened once (single-flight), at its first use, and kept as long as
 * the files of its folder stay as they are.
 */
export class EmbeddedModels {
  /** The base models in local folders that load. Before the first look it knows none. */
  readonly folders: BaseModelWatcher;
  private readonly log = new Logger('BaseModels');
  private readonly engine: ServingEngine;
  private readonly embedders: EmbeddedEmbedders;
  private readonly bases = new Map<string, Promise<OpenBase>>();
  /** Those of them that are open. */
  private readonly loaded = new Map<string, OpenBase>();

  constructor(private readonly options: EmbeddedModelsOptions) {
    this.engine = ServingEngine.start(options.engine);
    const { sources, engine } = options;
    this.embedders = new EmbeddedEmbedders(sources, engine?.maxParams);
    this.folders = new BaseModelWatcher(sources, { maxParams: engine?.maxParams }, () => this.dropOutdated());
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
    const { base, constraints } = await this.forCallers(this.opened(id));
    return new EmbeddedTarget(base, constraints, checkpoint, 'local', trainedName);
  }

  /**
   * Creates a target for an embedding model.
   *
   * @throws EngineError as {@link open}
   */
  async embeddingTarget(id: string): Promise<EmbeddingTarget> {
    return new EmbeddingTarget(await this.forCallers(this.embedders.open(id)), 'local');
  }

  /** Why the model in a folder cannot be loaded, for callers; null: it can be, or there is none. */
  reasonAgainst(id: string): string | null {
    const reason = this.folders.reasonAgainst(id);
    return reason && this.withoutFolders(reason);
  }

  /**
   * Loads a checkpoint before the first request needs it.
   *
   * @throws EngineError as {@link open}, or `storage.corrupt`
   * @throws BaseChangedError the checkpoint was trained on other weights than the base has now
   */
  async attach(id: string, checkpoint: CheckpointChoice): Promise<void> {
    const { name, digest } = await this.open(id);
    const trainedOn = await trainedBaseOf(checkpoint.directory);
    if (trainedOn !== null && trainedOn !== digest) throw new BaseChangedError(id);
    await this.engine.attach(name, checkpoint);
  }

  async close(): Promise<void> {
    this.folders.stop();
    await Promise.all([this.engine.close(), this.embedders.close()]);
  }

  private async forCallers<Opened>(opening: Promise<Opened>): Promise<Opened> {
    try {
      return await opening;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new EngineError(error.code, this.withoutFolders(error.message), { cause: error });
    }
  }

  private opened(id: string): Promise<OpenBase> {
    const known = this.bases.get(id);
    if (known) return known;
    const opening = this.load(id);
    this.bases.set(id, opening);
    opening.catch((error: Error) => {
      // A failure is not cached: the next call opens the model again, which may be repaired by then.
      this.bases.delete(id);
      // The caller gets an error without the reason, which is for the operator; a shutdown needs no warning.
      if (!(error instanceof EngineError && error.code === 'engine.closed'))
        this.log.warn(`The base model ${id} could not be opened: ${error.message}`);
    });
    return opening;
  }

  /** Messages of the engine name files by their paths, which are none of the callers' business. */
  private withoutFolders(message: string): string {
    const { bundledDir, modelsDir } = this.options.sources;
    return [bundledDir, modelsDir].reduce<string>(
      (text, folder) => (folder ? text.replaceAll(`${folder}/`, '') : text),
      message,
    );
  }

  private async load(id: string): Promise<OpenBase> {
    const directory = await findBaseModel(id, this.options.sources);
    const state = await stateOfFolder(directory).catch(() => '');
    const model = await openBaseModel(directory, { maxParams: this.options.engine?.maxParams });
    const name = baseNameOf(directory, state);
    const [info, digest] = await Promise.all([this.engine.loadBase(name), model.digest()]);
    const base = new EmbeddedBase(id, name, model, info, digest, this.engine);
    const generate = (request: GenerationRequest) => this.engine.generate({ base: name, checkpoint: null }, request);
    const opened = { base, constraints: new ConstraintProbe(generate), state };
    this.loaded.set(id, opened);
    return opened;
  }

  /** Frees the models whose files were removed or replaced, once the requests that run on them have ended. */
  private async dropOutdated(): Promise<void> {
    await this.embedders.dropOutdated();
    for (const [id, { base, state }] of this.loaded) {
      if (await hasState(base.model.directory, state)) continue;
      base.isOutdated = true;
      this.bases.delete(id);
      this.loaded.delete(id);
      this.log.log(`The files of the base model ${id} have changed: it is unloaded.`);
      this.engine.unloadBase(base.name).catch((error: Error) => this.log.warn(`${id}: ${error.message}`));
    }
  }
}
