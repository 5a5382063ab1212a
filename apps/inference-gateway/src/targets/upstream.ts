import type { PinnedModel, Target } from './target.js';

/** An upstream that is open: a server, or an engine in this process. What is behind it, nothing above knows. */
export interface Upstream {
  /** Names of the models that are routes of their own unless the configuration lists routes. */
  readonly models: readonly string[];
  /** The target for one model, always the same one; null: the upstream has no such model. */
  target(model: string): Target | null;
  /** A new target that computes with trained weights; absent: the upstream cannot load them. */
  trainedTarget?(weights: TrainedWeights): Target;
  /** Closes its connections, once the requests under way have ended. */
  close(): Promise<void>;
}

/** A trained model at one step, as an upstream serves it. */
export interface TrainedWeights {
  readonly pinned: PinnedModel;
  /** The base model that it was trained from. */
  readonly baseModel: string;
  /** Null: the weights of the base model itself, at step 0. */
  readonly checkpoint: TrainedCheckpoint | null;
}

/** A committed checkpoint. Its bytes are held from {@link hold} on, whatever happens to the checkpoint. */
export interface TrainedCheckpoint {
  readonly id: string;
  /** Hex: vouches for every file of the folder. */
  readonly manifestSha256: string;
  /** Path of its folder. @throws StorageUnavailableError, StoredFileMissingError */
  localPath(): Promise<string>;
  /** To be called before anything reads the bytes. */
  hold(): Promise<void>;
  /** An attempt begins. @returns to be called once, at its end */
  enter(): () => void;
}
