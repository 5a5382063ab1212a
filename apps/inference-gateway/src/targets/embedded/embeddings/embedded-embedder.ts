import type { EmbeddingEngine, OpenEmbeddingModel } from '@hone/engine';

/** An embedding model that the engine has opened. */
export class EmbeddedEmbedder {
  /** Whether its folder has other files by now, or none: later requests open those. */
  isOutdated = false;

  constructor(
    readonly id: string,
    readonly model: OpenEmbeddingModel,
    readonly engine: EmbeddingEngine,
  ) {}
}
