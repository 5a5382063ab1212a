/** A model that an attempt of a job created at a server. */
export interface RemoteModelRecord {
  readonly engine: string;
  readonly modelId: string;
  readonly jobId: string;
  readonly attempt: number;
}

/** Weights that an attempt of a job kept at a server. */
export interface RemoteWeightsRecord {
  readonly engine: string;
  /** `tinker://<model>/<kind>/<name>` */
  readonly path: string;
  readonly jobId: string;
}

/**
 * Records the models and weights at servers, so that other processes unload or delete those of killed processes and of
 * deleted checkpoints.
 */
export interface ModelRegistry {
  add(model: RemoteModelRecord): Promise<void>;
  remove(engine: string, modelId: string): Promise<void>;
  /** Call it before the server keeps the weights. */
  addWeights(weights: RemoteWeightsRecord): Promise<void>;
  removeWeights(engine: string, path: string): Promise<void>;
}
