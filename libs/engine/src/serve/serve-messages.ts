import type { WeightForm } from '../blocks/index.js';
import type { GenerationEvent } from '../decode/batch/generation-event.js';
import type { GenerationRequest } from '../decode/batch/generation-request.js';
import type { ErrorMessage } from '../decode/error-message.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import type { LoaderData } from './loader/loader-messages.js';

/** The weights of a request. */
export interface ModelChoice {
  /** Name of the base model, loaded before: its folder, or one of `baseNameOf`. */
  readonly base: string;
  /** Null: the base model itself. */
  readonly checkpoint: CheckpointChoice | null;
}

export interface CheckpointChoice {
  /** Immutable id of these weights: a checkpoint of another content has another id. */
  readonly id: string;
  readonly directory: string;
  /** Of `manifest.json`, hex; absent: the manifest is believed. */
  readonly sha256?: string;
}

/** Properties of a served base model. */
export interface ServedBaseInfo {
  readonly config: LlamaConfig;
  /** Longest prompt and answer together, in tokens. */
  readonly contextLength: number;
}

/** Settings of the serving engine. */
export interface ServingSettings {
  /**
   * Threads of one operator. For small models 1 is as fast as 2 and leaves a core to others; and only with 1 a seed
   * gives the same answer to the last bit whether or not a part of its prompt was cached.
   */
  readonly threads: number;
  /** Threads of one operator for models that are too large for that: their products use all cores. */
  readonly packedThreads: number;
  /** Form in which the matrices of base models are held. */
  readonly weights: WeightForm;
  /** Choices that decode concurrently. */
  readonly maxRows: number;
  /** Tokens that the KV caches of running choices may come to hold. */
  readonly maxCacheTokens: number;
  /** Prompt tokens kept in the prefix cache, per base model; 0: none. */
  readonly maxPrefixTokens: number;
  /** Prompt tokens prefilled between two decode steps. */
  readonly promptTokensPerTurn: number;
  /** Longest context that is served, whatever the model could hold. */
  readonly maxContextLength: number;
  /**
   * Bytes of the LRU cache of checkpoints. The one that was loaded last is kept whatever its size; those that running
   * requests use stay in memory beyond it.
   */
  readonly maxCheckpointBytes: number;
  /** Parameters a base model may have. */
  readonly maxParams: number;
  /** How long a constraint may take to compile, and to give a logit mask, in CPU time. */
  readonly compileMs: number;
  /** States that the patterns of one constraint may have together, their repetitions written out. */
  readonly compileStates: number;
}

/** What a serving thread is started with. */
export interface ServingData extends LoaderData {
  readonly settings: ServingSettings;
}

export type ToServing =
  | { readonly type: 'loadBase'; readonly call: number; readonly directory: string }
  | { readonly type: 'unloadBase'; readonly call: number; readonly directory: string }
  | { readonly type: 'attach'; readonly call: number; readonly model: ModelChoice }
  | { readonly type: 'generate'; readonly id: number; readonly model: ModelChoice; readonly request: GenerationRequest }
  | { readonly type: 'abort'; readonly id: number }
  /** Backpressure: the generation pauses after the token under way, and goes on at `resume`. */
  | { readonly type: 'pause' | 'resume'; readonly id: number }
  /** The thread ends after the step under way and answers nothing more. */
  | { readonly type: 'close' };

/** A generation's events in order, or the error that ended it. */
export type GenerationUpdate =
  readonly [id: number, event: GenerationEvent] | readonly [id: number, failed: ErrorMessage];

export type FromServing =
  | { readonly type: 'settled'; readonly call: number; readonly value: ServedBaseInfo | null }
  | { readonly type: 'failed'; readonly call: number; readonly error: ErrorMessage }
  /** The updates of one scheduler turn together: a message costs more than its content. */
  | { readonly type: 'updates'; readonly updates: readonly GenerationUpdate[] }
  /** `taskId` is what the kernel calls the thread; null: not Linux. */
  | { readonly type: 'heartbeat'; readonly taskId: number | null };
