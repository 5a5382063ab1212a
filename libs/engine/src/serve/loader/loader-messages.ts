import type { LlamaConfig } from '../../model/llama-config.js';
import type { FloatTensor } from '../../tensor.js';
import type { ErrorMessage } from '../../decode/error-message.js';

/** Requests to the loader thread. */
export type LoadOrder =
  | { readonly kind: 'base'; readonly directory: string; readonly maxParams: number }
  | { readonly kind: 'checkpoint'; readonly base: string; readonly directory: string; readonly sha256?: string }
  | { readonly kind: 'forget'; readonly base: string };

/** Tensors laid out for the decoder graphs, by input. */
type LaidOutTensors = ReadonlyMap<string, FloatTensor>;

export interface LoadedTensors {
  readonly config: LlamaConfig;
  /** Of a checkpoint, only the tensors that differ from the base model's. */
  readonly tensors: LaidOutTensors;
}

export type LoaderRequest = LoadOrder & { readonly call: number };
export type LoaderReply =
  | { readonly call: number; readonly loaded: LoadedTensors | null }
  | { readonly call: number; readonly failed: ErrorMessage };
