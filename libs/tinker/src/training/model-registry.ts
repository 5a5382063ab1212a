/** A model at a server that some attempt of a job made. */
export interface RemoteModelRecord {
  readonly engine: string;
  readonly modelId: string;
  readonly jobId: string;
  readonly attempt: number;
}

/** Remembers which models there are at servers, so that those of killed processes are unloaded by others. */
export interface ModelRegistry {
  add(model: RemoteModelRecord): Promise<void>;
  remove(engine: string, modelId: string): Promise<void>;
}
