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

/** The shape of a Llama-family decoder, read from `config.json` of the Hugging Face layout. */
export interface LlamaConfig {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  /** Width of the SwiGLU feed-forward layer. */
  readonly intermediateSize: number;
  readonly numLayers: number;
  readonly numHeads: number;
  /** Grouped-query attention: each key/value head serves `numHeads / numKvHeads` query heads. */
  readonly numKvHeads: number;
  readonly headDim: number;
  readonly ropeTheta: number;
  readonly ropeScaling: RopeScaling | null;
  readonly rmsNormEps: number;
  /** The output head is the embedding matrix itself: there is no `lm_head.weight`. */
  readonly tiedHead: boolean;
  /** Longest context, in tokens. */
  readonly maxPositions: number;
  readonly bosTokenId: number | null;
  /** Tokens that end an answer; at least one. */
  readonly eosTokenIds: readonly number[];
}
