import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../model/config/llama-config.js';
import type { Feeds } from '../runtime/join-feeds.js';
import { countTokens, joinPlanes, type KeyValues, sliceKeyValues } from './cache/key-values.js';
import type { DecoderResults } from './decoder-results.js';
import { layerInput } from './graph/decoder-tensors.js';
import type { Predictions } from './model-runner.js';

/** The inputs of a graph for the next tokens of a prompt, and how to read its outputs. */
export interface FedPrompt {
  /** The tokens, two at least: a product with a single row is another kernel, which sums in another order. */
  readonly ids: readonly number[];
  /** Indices into `ids`, two at least. */
  readonly wanted: readonly number[];
  /** int64 `[1, ids]`. */
  readonly positions: Tensor;
  /** Number of tokens before these. */
  readonly before: number;
  /** Picks the requested results out of the outputs of the graph. */
  take(given: DecoderResults): Predictions & { keyValues: KeyValues };
}

/** @param ids to be read, `wanted` some of their indices */
export function feedPrompt(
  config: LlamaConfig,
  contextLength: number,
  past: readonly KeyValues[],
  ids: readonly number[],
  wanted: readonly number[],
): FedPrompt {
  const fed = ids.length === 1 ? [...ids, 0] : ids;
  const before = countTokens(past);
  // The second token of a pair that pads a single one may be beyond the context: it takes the last position.
  const positions = BigInt64Array.from(fed, (_, index) => BigInt(Math.min(before + index, contextLength - 1)));
  return {
    ids: fed,
    wanted: wanted.length === 1 ? [...wanted, ...wanted] : wanted,
    positions: new Tensor('int64', positions, [1, fed.length]),
    before,
    take({ logProbabilities, logPartition, newRows }) {
      const all = { tokens: fed.length, data: newRows };
      return {
        logProbabilities: logProbabilities.subarray(0, wanted.length * config.vocabSize),
        logPartition: logPartition.subarray(0, wanted.length),
        keyValues: fed === ids ? all : sliceKeyValues(config, all, 0, ids.length),
      };
    },
  };
}

/**
 * The keys and values of a prompt's past, per layer `[1, numKvHeads, before, headDim]`.
 *
 * @param names of the inputs of a layer
 */
export function pastFeeds(
  { numLayers, numKvHeads, headDim }: LlamaConfig,
  past: readonly KeyValues[],
  names: readonly [keys: string, values: string],
): Feeds {
  const before = countTokens(past);
  const feeds: Record<string, Tensor> = {};
  for (let plane = 0; plane < numLayers * 2; plane += 1) {
    const data = new Float32Array(numKvHeads * before * headDim);
    joinPlanes(past, [plane * numKvHeads, numKvHeads], headDim, data, before);
    const name = layerInput(plane >> 1, names[plane % 2] as string);
    feeds[name] = new Tensor('float32', data, [1, numKvHeads, before, headDim]);
  }
  return feeds;
}
