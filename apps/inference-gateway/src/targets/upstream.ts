import type { PinnedModel, Target } from './target.js';

/** An open upstream: a server, or an engine in this process. The layers above do not depend on its kind. */
export interface Upstream {
  /** Names of its models; each is a route unless the configuration lists routes. */
  readonly models: readonly string[];
  /** The target of one model, always the same object; null: the upstream has no such model. */
  target(model: string): Target | null;
  /** Whether it can load weights that were trained from a base model; absent: never. */
  loadsTrained?(baseModel: string): boolean;
  /** Creates a target that serves trained weights which the upstream can load. */
  trainedTarget?(weights: TrainedWeights): Target;
  /** Adapters of trained models that this process has in the server; absent: it loads none. */
  heldAdapters?(): HeldAdapters;
  /** The configuration no longer has it: running requests end, and it does nothing else any more. */
  retire?(): void;
  /** The configuration was reloaded: keys that were set aside may be good again. */
  readmit?(): void;
  /** Drains: closes its connections when the running requests have ended. */
  close(): Promise<void>;
}

/** The adapters that a process has in one server. */
export interface HeldAdapters {
  /** How many it loads at most. */
  readonly max: number;
  readonly list: readonly HeldAdapter[];
}

export interface HeldAdapter {
  readonly modelId: string;
  readonly step: number;
  readonly state: 'loading' | 'probing' | 'ready' | 'draining';
  /** Attempts under way. */
  readonly running: number;
}

/** A trained model at one step, as an upstream serves it. */
export interface TrainedWeights {
  readonly pinned: PinnedModel;
  readonly modelId: string;
  /** 0: the base model. */
  readonly step: number;
  /** The base model that it was trained from. */
  readonly baseModel: string;
  /** Null: the weights of the base model itself, at step 0. */
  readonly checkpoint: TrainedCheckpoint | null;
}

/** A committed checkpoint. After {@link hold} its bytes stay, even if the checkpoint is deleted. */
export interface TrainedCheckpoint {
  readonly id: string;
  /** Hexadecimal digest of the manifest, which has the digest of every file. */
  readonly manifestSha256: string;
  /** Path of its folder. @throws StorageUnavailableError, StoredFileMissingError */
  localPath(): Promise<string>;
  /** Call it before the bytes are read. */
  hold(): Promise<void>;
  /** An attempt begins. @returns a function to call once at its end */
  enter(): () => void;
}
