import { join } from 'node:path';

import { readJsonFields, type JsonFields } from './json-fields.js';
import { BaseModelDamagedError, BaseModelUnsupportedError } from './model.errors.js';

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

/** transformers' defaults of what an architecture's `config.json` may leave out; null: derived from other fields. */
interface Defaults {
  readonly modelType: string;
  readonly numKvHeads: number | null;
  readonly headDim: number | null;
  readonly maxPositions: number;
}

const LLAMA = 'LlamaForCausalLM';
const ARCHITECTURES: Readonly<Record<string, Defaults>> = {
  [LLAMA]: { modelType: 'llama', numKvHeads: null, headDim: null, maxPositions: 2048 },
  MistralForCausalLM: { modelType: 'mistral', numKvHeads: 8, headDim: null, maxPositions: 131_072 },
  Qwen2ForCausalLM: { modelType: 'qwen2', numKvHeads: 32, headDim: null, maxPositions: 32_768 },
  Qwen3ForCausalLM: { modelType: 'qwen3', numKvHeads: 32, headDim: 128, maxPositions: 32_768 },
};

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
  const shape = toDecoderShape(fields, architectureOf(fields));
  assertHeads(fields.file, shape);
  return shape;
}

/** @param architecture one of those that {@link readDecoderShape} knows */
export function toDecoderShape(fields: JsonFields, architecture = LLAMA): DecoderShape {
  const defaults = ARCHITECTURES[architecture] as Defaults;
  const hiddenSize = fields.size('hidden_size');
  const numHeads = fields.size('num_attention_heads');
  return {
    vocabSize: fields.size('vocab_size'),
    hiddenSize,
    intermediateSize: fields.size('intermediate_size'),
    numLayers: fields.size('num_hidden_layers'),
    numHeads,
    numKvHeads: fields.size('num_key_value_heads', defaults.numKvHeads ?? numHeads),
    headDim: fields.size('head_dim', defaults.headDim ?? hiddenSize / numHeads),
    tiedHead: fields.flag('tie_word_embeddings', false),
    maxPositions: fields.size('max_position_embeddings', defaults.maxPositions),
  };
}

/** @throws BaseModelDamagedError */
export function assertHeads(file: string, { numHeads, numKvHeads, headDim }: DecoderShape): void {
  if (numHeads % numKvHeads !== 0) {
    throw new BaseModelDamagedError(file, `${numHeads} attention heads cannot share ${numKvHeads} key/value heads`);
  }
  if (headDim % 2 !== 0) throw new BaseModelDamagedError(file, `head_dim is ${headDim}, expected an even number`);
}

function architectureOf(fields: JsonFields): string {
  const listed = fields.get('architectures');
  const known = Object.keys(ARCHITECTURES);
  const found = Array.isArray(listed)
    ? known.find((name) => listed.includes(name))
    : known.find((name) => listed === null && ARCHITECTURES[name]?.modelType === fields.get('model_type'));
  if (found !== undefined) return found;
  const shown = JSON.stringify(listed ?? fields.get('model_type'));
  throw new BaseModelUnsupportedError(fields.file, `the architecture is ${shown}, expected one of ${known.join(', ')}`);
}
