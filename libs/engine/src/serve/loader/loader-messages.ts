import type { WeightForm } from '../../blocks/index.js';
import type { ErrorMessage } from '../../decode/error-message.js';
import type { PackedAdapter } from '../../decode/packed/packed-adapter.js';
import type { PackedModelFiles } from '../../decode/packed/packed-decoder.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import type { FloatTensor } from '../../tensor.js';
import type { TokenTableData } from '../token-table.js';

/** Requests to the loader thread. */
export type LoadOrder =
  | { readonly kind: 'base'; readonly directory: string; readonly maxParams: number; readonly weights: WeightForm }
  | { readonly kind: 'tokens'; readonly directory: string }
  | CheckpointOrder
  | { readonly kind: 'forget'; readonly base: string };

export interface CheckpointOrder {
  readonly kind: 'checkpoint';
  readonly base: string;
  /** Form of the base. */
  readonly weights: WeightForm;
  readonly directory: string;
  readonly sha256?: string;
}

/** What was loaded: a model in one of three forms, or its tokens. */
export type LoadedModel = LoadedTensors | LoadedPack | LoadedAdapter | LoadedTokens;

/** Of a small model: all weights are inputs of the decoder graphs. */
export interface LoadedTensors {
  readonly kind: 'tensors';
  readonly config: LlamaConfig;
  /** Laid out for the decoder graphs, by input. Of a checkpoint, only those that differ from the base model's. */
  readonly tensors: ReadonlyMap<string, FloatTensor>;
}

/** Of a larger model, or of a checkpoint of all its weights: the packed graph, written to a folder. */
export interface LoadedPack extends PackedModelFiles {
  readonly kind: 'pack';
  readonly config: LlamaConfig;
  /** Bytes of the constants. */
  readonly bytes: number;
}

/** Of a checkpoint of a larger model: inputs of its base's packed graph. */
export interface LoadedAdapter {
  readonly kind: 'adapter';
  readonly adapter: PackedAdapter;
}

export interface LoadedTokens {
  readonly kind: 'tokens';
  readonly table: TokenTableData;
}

/** What a loader thread is started with. */
export interface LoaderData {
  /** Name of a BroadcastChannel: a CheckpointOrder in it will come as an order soon, see TensorLoader#announce. */
  readonly announcements: string;
}

export type LoaderRequest = LoadOrder & { readonly call: number };
export type LoaderReply =
  | { readonly call: number; readonly loaded: LoadedModel | null }
  | { readonly call: number; readonly failed: ErrorMessage };
