import type { LayerTensors } from './llama-config.js';

/** Names of the norms within a layer, of what stands before and after its two steps. Null: there is none. */
export interface LayerNorms {
  readonly beforeAttention: string;
  readonly afterAttention: string | null;
  readonly beforeFeedForward: string;
  readonly afterFeedForward: string | null;
}

/** Gemma calls the norm after attention as Llama calls the one before the feed-forward layer. */
export function layerNorms({ hasResultNorms }: LayerTensors): LayerNorms {
  return {
    beforeAttention: 'input_layernorm',
    afterAttention: hasResultNorms ? 'post_attention_layernorm' : null,
    beforeFeedForward: hasResultNorms ? 'pre_feedforward_layernorm' : 'post_attention_layernorm',
    afterFeedForward: hasResultNorms ? 'post_feedforward_layernorm' : null,
  };
}
