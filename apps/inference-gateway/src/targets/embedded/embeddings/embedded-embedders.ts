import { type BaseModelSources, EmbeddingEngine, EngineError, findBaseModel } from '@hone/engine';
import { Logger } from '@nestjs/common';

import { hasState } from '../folder-state.js';
import { EmbeddedEmbedder } from './embedded-embedder.js';

/** The embedding models that this process serves itself: each is opened once (single-flight), at its first use. */
export class EmbeddedEmbedders {
  private readonly log = new Logger('BaseModels');
  private readonly engine: EmbeddingEngine;
  private readonly embedders = new Map<string, Promise<EmbeddedEmbedder>>();
  /** Those of them that are open. */
  private readonly loaded = new Map<string, EmbeddedEmbedder>();

  constructor(
    private readonly sources: BaseModelSources,
    maxParams: number | undefined,
  ) {
    this.engine = new EmbeddingEngine({ maxParams });
  }

  /** @throws EngineError `engine.base_model_...`: the model is missing, or cannot be served */
  open(id: string): Promise<EmbeddedEmbedder> {
    const known = this.embedders.get(id);
    if (known !== undefined) return known;
    const opening = this.load(id);
    this.embedders.set(id, opening);
    opening.catch((error: Error) => {
      // A failure is not cached: the model may be repaired by the next call.
      this.embedders.delete(id);
      if (!(error instanceof EngineError && error.code === 'engine.closed'))
        this.log.warn(`The embedding model ${id} could not be opened: ${error.message}`);
    });
    return opening;
  }

  /** Unloads the models whose files were removed or replaced. */
  async dropOutdated(): Promise<void> {
    for (const [id, embedder] of this.loaded) {
      const { directory, state } = embedder.model.choice;
      if (await hasState(directory, state)) continue;
      embedder.isOutdated = true;
      this.embedders.delete(id);
      this.loaded.delete(id);
      this.log.log(`The files of the embedding model ${id} have changed: it is unloaded.`);
      this.engine.unload(directory).catch((error: Error) => this.log.warn(`${id}: ${error.message}`));
    }
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  private async load(id: string): Promise<EmbeddedEmbedder> {
    const directory = await findBaseModel(id, this.sources);
    const embedder = new EmbeddedEmbedder(id, await this.engine.open(directory), this.engine);
    this.loaded.set(id, embedder);
    return embedder;
  }
}
