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
  /** Up to and with `/api/v1`. */
  readonly url: string;
  readonly apiKey: string | null;
  /** By the names in jobs. */
  readonly baseModels: ReadonlyMap<string, RemoteBaseModel>;
  readonly reduction: Reduction;
  /** What the server does by itself. */
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
  /** Jobs that one trainer runs on it at once. */
  readonly concurrency: number;
  /** Hosts beside its own from which archives may be fetched. */
  readonly archiveHosts: readonly string[];
}

export interface EmbeddedSettings {
  readonly kind: 'embedded';
  readonly name: string;
}

export type EngineSettings = EmbeddedSettings | TinkerSettings;

/** In the order in which they are asked whether they have a job's base model; the embedded engine is among them. */
export type EngineList = readonly EngineSettings[];

/** The embedded engine where nothing names it. */
export const EMBEDDED: EmbeddedSettings = { kind: 'embedded', name: 'embedded' };

/** The engine that a model without steps is trained on: the first that has its base model; the embedded takes any. */
export const engineFor = (engines: EngineList, baseModel: string): EngineSettings =>
  engines.find((engine) => engine.kind === 'embedded' || engine.baseModels.has(baseModel)) ?? EMBEDDED;
