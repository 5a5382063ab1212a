import type { Family } from './architecture.js';
import type { DecoderShape } from './decoder-shape.js';
import type { ProjectionName } from './projections.js';

/** How rotary frequencies are stretched for contexts longer than the model was first trained on. */
export type RopeScaling =
  | { readonly type: 'linear'; readonly factor: number }
  | {
      readonly type: 'llama3';
      readonly factor: number;
      readonly lowFreqFactor: number;
      readonly highFreqFactor: number;
      /** Tokens. */
      readonly originalMaxPositions: number;
    };

/** Tensors that the layers of some families have besides Llama's. */
export interface LayerTensors {
  /** Projections whose product gets a bias (Qwen2). Absent: none. */
  readonly biases?: readonly ProjectionName[];
  /** Queries and keys of each head pass a norm before they are rotated (Qwen3, Gemma 3). */
  readonly hasHeadNorms?: boolean;
  /** What attention and feed-forward layer give passes a norm before it is added to the stream (Gemma 2 and 3). */
  readonly hasResultNorms?: boolean;
}

/** What the attention of one layer sees, and whether it knows positions. */
export interface LayerAttention {
  /** A token sees the last `window` tokens, itself among them; false: all before it. */
  readonly isWindowed: boolean;
  /** Queries and keys are rotated; false: the layer has no positions (SmolLM3). */
  readonly isRotated: boolean;
}

/**
 * A decoder as this engine computes it, read from `config.json` of the Hugging Face layout: Llama's, or with the steps
 * that other families add. Those are optional, and absent from Llama.
 */
export interface LlamaConfig extends DecoderShape, LayerTensors {
  /** Absent: Llama itself. What is computed is said by the other fields. */
  readonly family?: Family;
  readonly ropeTheta: number;
  readonly ropeScaling: RopeScaling | null;
  readonly rmsNormEps: number;
  readonly bosTokenId: number | null;
  /** Tokens that end an answer; at least one. */
  readonly eosTokenIds: readonly number[];
  /** Per layer. Absent: every layer sees all tokens before it, and is rotated. */
  readonly attention?: readonly LayerAttention[];
  /** Tokens that a windowed layer sees. */
  readonly window?: number;
  /** Base of the rotary embedding of windowed layers, which is never stretched. Absent: that of all layers. */
  readonly windowRopeTheta?: number;
  /** What scores are multiplied by. Absent: 1 / sqrt(headDim). */
  readonly attentionScale?: number;
  /** Scores x of attention become `cap tanh(x / cap)` (Gemma 2). */
  readonly attentionCap?: number;
  /** The same of the logits. */
  readonly logitCap?: number;
  /** Of the feed-forward layer's gate: GELU in its tanh form (Gemma). Absent: SiLU. */
  readonly activation?: 'gelu';
  /** What rows of the embedding are multiplied by on their way in (Gemma). */
  readonly embeddingScale?: number;
  /** Norms multiply by one plus their weight (Gemma). */
  readonly hasUnitNorms?: boolean;
}

const PLAIN: LayerAttention = { isWindowed: false, isRotated: true };

export function layerAttention({ attention }: LlamaConfig, layer: number): LayerAttention {
  return attention?.[layer] ?? PLAIN;
}

/** Tokens that windowed layers see; null: there are none. */
export function windowOf({ attention, window }: LlamaConfig): number | null {
  return attention?.some(({ isWindowed }) => isWindowed) ? (window ?? null) : null;
}

export const attentionScaleOf = ({ attentionScale, headDim }: LlamaConfig): number =>
  attentionScale ?? 1 / Math.sqrt(headDim);
