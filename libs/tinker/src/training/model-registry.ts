/** A model at a server that some attempt of a job made. */
export interface RemoteModelRecord {
  readonly engine: string;
  readonly modelId: string;
  readonly jobId: string;
  readonly attempt: number;
}

/** Weights that some attempt of a job kept at a server. */
export interface RemoteWeightsRecord {
  readonly engine: string;
  /** `tinker://<model>/<kind>/<name>` */
  readonly path: string;
  readonly jobId: string;
}

/**
 * Remembers which models and weights there are at servers, so that others unload or delete those of killed processes
 * and of deleted checkpoints.
 */
export interface ModelRegistry {
  add(model: RemoteModelRecord): Promise<void>;
  remove(engine: string, modelId: string): Promise<void>;
  /** Before the server keeps them. */
  addWeights(weights: RemoteWeightsRecord): Promise<void>;
  removeWeights(engine: string, path: string): Promise<void>;
}
