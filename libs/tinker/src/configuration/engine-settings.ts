/** How a server makes one gradient of many sequences: a mean of their means, or the plain sum. */
export type Reduction = 'sequence_mean' | 'sum';

/** A base model at a server. */
export interface RemoteBaseModel {
  /** Its name at the server. */
  readonly servedAs: string;
  /** Folder of its configuration and tokenizer; null: where Hone finds the model by its name. */
  readonly path: string | null;
}

/** A training server that speaks the Tinker protocol. */
export interface TinkerSettings {
  readonly kind: 'tinker';
  readonly name: string;
  /** Base URL, including `/api/v1`. */
  readonly url: string;
  readonly apiKey: string | null;
  /** Base models by the names that jobs use. */
  readonly baseModels: ReadonlyMap<string, RemoteBaseModel>;
  readonly reduction: Reduction;
  /** Gradient clipping that the server applies by itself. */
  readonly gradientClip: 'none' | number;
  readonly lora: {
    readonly rank: number;
    readonly alpha: number;
    readonly trainAttention: boolean;
    readonly trainMlp: boolean;
    readonly trainUnembed: boolean;
  };
  /** Most sequences of one request, a power of two. */
  readonly maxBatch: number;
  /** Tokens of the longest sequence; null: as many as the base model. */
  readonly maxContext: number | null;
  /** Jobs that one trainer runs on it concurrently. */
  readonly concurrency: number;
  /** Further hosts from which archives may be downloaded. */
  readonly archiveHosts: readonly string[];
}

export interface EmbeddedSettings {
  readonly kind: 'embedded';
  readonly name: string;
}

export type EngineSettings = EmbeddedSettings | TinkerSettings;

/** Engines in order of preference, the embedded engine among them: the first that has a job's base model takes it. */
export type EngineList = readonly EngineSettings[];

/** Default settings of the embedded engine, which the file need not name. */
export const EMBEDDED: EmbeddedSettings = { kind: 'embedded', name: 'embedded' };

/** The engine that a model without steps is trained on: the first that has its base model; the embedded takes any. */
export const engineFor = (engines: EngineList, baseModel: string): EngineSettings =>
  engines.find((engine) => engine.kind === 'embedded' || engine.baseModels.has(baseModel)) ?? EMBEDDED;
