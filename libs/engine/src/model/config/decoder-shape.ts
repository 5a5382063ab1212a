import { join } from 'node:path';

import { type Architecture, architectureOf, REMOTE_ARCHITECTURES } from './architecture.js';
import { type JsonFields, readJsonFields } from './json-fields.js';
import { BaseModelDamagedError } from './model.errors.js';

/**
 * Sizes of a decoder whose layers have Llama's seven projections under Llama's names. An adapter's shapes follow from
 * them, whatever else the layers have: Qwen2 adds biases to q, k and v, Qwen3 norms of queries and keys.
 */
export interface DecoderShape {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  /** Width of the SwiGLU feed-forward layer. */
  readonly intermediateSize: number;
  readonly numLayers: number;
  readonly numHeads: number;
  /** Grouped-query attention: each key/value head serves `numHeads / numKvHeads` query heads. */
  readonly numKvHeads: number;
  readonly headDim: number;
  /** The output head is the embedding matrix itself: there is no `lm_head.weight`. */
  readonly tiedHead: boolean;
  /** Longest context, in tokens. */
  readonly maxPositions: number;
}

/**
 * Reads the sizes of a model that another engine computes: of Llama, Mistral, Qwen2 and Qwen3, without their mixtures of
 * experts. Options that change what a layer computes do not matter here.
 *
 * @param directory with `config.json`; weights are not read
 * @throws BaseModelUnsupportedError another architecture
 * @throws BaseModelDamagedError the file is missing, not JSON, or its fields contradict each other
 */
export async function readDecoderShape(directory: string): Promise<DecoderShape> {
  const fields = await readJsonFields(join(directory, 'config.json'));
  const shape = toDecoderShape(fields, architectureOf(fields, REMOTE_ARCHITECTURES));
  assertHeads(fields.file, shape);
  return shape;
}

/** @param architecture whose defaults stand for what is absent */
export function toDecoderShape(fields: JsonFields, architecture: Architecture): DecoderShape {
  const hiddenSize = fields.size('hidden_size');
  const numHeads = fields.size('num_attention_heads');
  return {
    vocabSize: fields.size('vocab_size'),
    hiddenSize,
    intermediateSize: fields.size('intermediate_size'),
    numLayers: fields.size('num_hidden_layers'),
    numHeads,
    numKvHeads: fields.size('num_key_value_heads', architecture.numKvHeads ?? numHeads),
    headDim: fields.size('head_dim', architecture.headDim ?? hiddenSize / numHeads),
    tiedHead: fields.flag('tie_word_embeddings', architecture.tiedHead),
    maxPositions: fields.size('max_position_embeddings', architecture.maxPositions),
  };
}

/** @throws BaseModelDamagedError */
export function assertHeads(file: string, { numHeads, numKvHeads, headDim }: DecoderShape): void {
  if (numHeads % numKvHeads !== 0) {
    throw new BaseModelDamagedError(file, `${numHeads} attention heads cannot share ${numKvHeads} key/value heads`);
  }
  if (headDim % 2 !== 0) throw new BaseModelDamagedError(file, `head_dim is ${headDim}, expected an even number`);
}
