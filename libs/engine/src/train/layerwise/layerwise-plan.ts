import type { LlamaConfig } from '../../model/config/llama-config.js';

/** The sizes of the passes over a model, chosen to fit into the memory. The same settings always give the same plan. */
export interface LayerwisePlan {
  /** Padded tokens of one pass. */
  readonly maxTokens: number;
  /** Rows whose logits are in memory at a time. */
  readonly predictions: number;
  /** Tokens of the vocabulary whose logits are in memory at a time. */
  readonly vocabulary: number;
  /** Last layers whose products stay in memory until the backward pass. Those of the others are recomputed. */
  readonly savedLayers: number;
}

const FLOAT_BYTES = 4;
const TOKENS = [1024, 512, 256, 128, 64];
/** Products of this size keep the cores busy. */
const PREDICTIONS = 256;
const VOCABULARY = 4096;
/** Arrays of `[predictions, vocabulary]` that the head's graph holds at its peak. */
const LOGIT_COPIES = 4;
/** Arrays as wide as the feed-forward part that the backward pass of a layer holds at its peak, by measurement. */
const PASSING_ARRAYS = 32;
/** At least this share of the layers saves its products before passes are made longer. */
const SAVED_SHARE = 0.75;

/**
 * @param activationBytes what a pass may take beside the stored weights
 */
export function planLayerwise(config: LlamaConfig, activationBytes: number): LayerwisePlan {
  const head = VOCABULARY * (config.hiddenSize + PREDICTIONS * LOGIT_COPIES) * FLOAT_BYTES;
  const left = activationBytes - head;
  const savedLayers = (tokens: number) => {
    const inputs = config.numLayers * tokens * config.hiddenSize * FLOAT_BYTES;
    const passing = PASSING_ARRAYS * tokens * config.intermediateSize * FLOAT_BYTES;
    const count = Math.floor((left - inputs - passing) / (tokens * productBytesPerToken(config)));
    return Math.min(config.numLayers, Math.max(0, count));
  };
  const fits = (tokens: number) => savedLayers(tokens) >= SAVED_SHARE * config.numLayers;
  const maxTokens = TOKENS.find(fits) ?? 64;
  return { maxTokens, predictions: PREDICTIONS, vocabulary: VOCABULARY, savedLayers: savedLayers(maxTokens) };
}

/** Bytes of the products of one layer. */
function productBytesPerToken({ hiddenSize, intermediateSize, numHeads, numKvHeads, headDim }: LlamaConfig): number {
  return ((numHeads + 2 * numKvHeads) * headDim + hiddenSize + 2 * intermediateSize) * FLOAT_BYTES;
}
