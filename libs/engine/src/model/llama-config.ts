import type { DecoderShape } from './decoder-shape.js';

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

/** A Llama decoder as this engine computes it, read from `config.json` of the Hugging Face layout. */
export interface LlamaConfig extends DecoderShape {
  readonly ropeTheta: number;
  readonly ropeScaling: RopeScaling | null;
  readonly rmsNormEps: number;
  readonly bosTokenId: number | null;
  /** Tokens that end an answer; at least one. */
  readonly eosTokenIds: readonly number[];
}
