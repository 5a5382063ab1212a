import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type FloatFormat, widenFloats } from '../float-formats.js';
import type { FloatTensor, Weights } from '../tensor.js';
import type { LlamaConfig } from './config/llama-config.js';
import { tensorShapes } from './config/tensor-shapes.js';
import { byteLevelTokenizer, FIXTURE_CHAT_TEMPLATE, FIXTURE_TOKENS } from './tokenizer/byte-level-tokenizer.fixture.js';
import { writeDurably } from './weights/durable-file.js';
import { encodeSafetensors, type RawTensor } from './weights/safetensors-writer.js';
import { WEIGHTS_FILE, WEIGHTS_INDEX_FILE } from './weights/weights.js';

export interface RandomLlamaOptions {
  /** Fields that differ from the small default: 2 layers of 32, 4 heads over 2 key/value heads, tied head. */
  readonly config?: Partial<LlamaConfig>;
  /** More than 1: the tensors are spread over this many shards, with an index. */
  readonly shards?: number;
  readonly dtype?: FloatFormat;
  readonly seed?: number;
}

export interface RandomLlama {
  readonly config: LlamaConfig;
  /** As a reader finds them: already rounded to the file's number format. */
  readonly weights: Weights;
}

const SMALL: LlamaConfig = {
  vocabSize: 288,
  hiddenSize: 32,
  intermediateSize: 64,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  headDim: 8,
  ropeTheta: 10_000,
  ropeScaling: null,
  rmsNormEps: 1e-5,
  tiedHead: true,
  maxPositions: 256,
  bosTokenId: FIXTURE_TOKENS.bos,
  eosTokenIds: [FIXTURE_TOKENS.end],
};

/** Writes a small Llama model with random weights into `directory`: configuration, weights, tokenizer, chat template. */
export async function writeRandomLlama(directory: string, options: RandomLlamaOptions = {}): Promise<RandomLlama> {
  const config = { ...SMALL, ...options.config };
  const tensors = randomTensors(config, options.dtype ?? 'F32', options.seed ?? 1);
  await mkdir(directory, { recursive: true });
  await writeJson(join(directory, 'config.json'), toConfigJson(config));
  await writeJson(join(directory, 'tokenizer.json'), byteLevelTokenizer());
  await writeJson(join(directory, 'tokenizer_config.json'), {
    tokenizer_class: 'PreTrainedTokenizerFast',
    bos_token: '<|bos|>',
    eos_token: '<|end|>',
    clean_up_tokenization_spaces: false,
    chat_template: FIXTURE_CHAT_TEMPLATE,
  });
  await writeShards(directory, tensors, options.shards ?? 1);
  return { config, weights: new Map(tensors.map((tensor) => [tensor.name, widen(tensor)])) };
}

/** `config.json` as transformers would write it. */
export function toConfigJson(config: LlamaConfig): Record<string, unknown> {
  const { ropeScaling: scaling } = config;
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_act: 'silu',
    vocab_size: config.vocabSize,
    hidden_size: config.hiddenSize,
    intermediate_size: config.intermediateSize,
    num_hidden_layers: config.numLayers,
    num_attention_heads: config.numHeads,
    num_key_value_heads: config.numKvHeads,
    head_dim: config.headDim,
    rope_theta: config.ropeTheta,
    rope_scaling: scaling && {
      rope_type: scaling.type,
      factor: scaling.factor,
      ...(scaling.type === 'llama3' && {
        low_freq_factor: scaling.lowFreqFactor,
        high_freq_factor: scaling.highFreqFactor,
        original_max_position_embeddings: scaling.originalMaxPositions,
      }),
    },
    rms_norm_eps: config.rmsNormEps,
    tie_word_embeddings: config.tiedHead,
    max_position_embeddings: config.maxPositions,
    bos_token_id: config.bosTokenId,
    eos_token_id: config.eosTokenIds,
  };
}

function randomTensors(config: LlamaConfig, dtype: FloatFormat, seed: number): RawTensor[] {
  const next = normalNumbers(seed);
  return Array.from(tensorShapes(config), ([name, shape]) => {
    const isNorm = shape.length === 1;
    // Activations keep their size from layer to layer, so that logits differ clearly from token to token.
    const scale = isNorm ? 0.1 : 1 / Math.sqrt(shape[1]!);
    const length = shape.reduce((product, size) => product * size, 1);
    const values = Float32Array.from({ length }, () => (isNorm ? 1 : 0) + scale * next());
    return { name, dtype, shape, bytes: narrow(values, dtype) };
  });
}

/** Cuts float32 down to `dtype`. Random weights need no correct rounding, only a value that the format holds. */
function narrow(values: Float32Array, dtype: FloatFormat): Uint8Array {
  const bits = new Uint32Array(values.buffer);
  if (dtype === 'F32') return new Uint8Array(values.buffer);
  const toHalf = dtype === 'BF16' ? (word: number) => word >>> 16 : floatBitsToHalf;
  return new Uint8Array(Uint16Array.from(bits, toHalf).buffer);
}

/** Exponents are re-based from 127 to 15; numbers too small for a normal half become zero. */
function floatBitsToHalf(word: number): number {
  const exponent = ((word >>> 23) & 0xff) - 112;
  const sign = (word >>> 16) & 0x8000;
  return exponent < 1 ? sign : sign | (exponent << 10) | ((word >>> 13) & 0x3ff);
}

function widen({ dtype, shape, bytes }: RawTensor): FloatTensor {
  if (dtype === 'F32') return { shape, data: new Float32Array(bytes.buffer) };
  const data = new Float32Array(bytes.byteLength / 2);
  widenFloats(new Uint16Array(bytes.buffer), dtype, data);
  return { shape, data };
}

async function writeShards(directory: string, tensors: RawTensor[], shards: number): Promise<void> {
  if (shards === 1) {
    await writeDurably(join(directory, WEIGHTS_FILE), encodeSafetensors(tensors, { format: 'pt' }));
    return;
  }
  const weightMap: Record<string, string> = {};
  for (let shard = 0; shard < shards; shard++) {
    const file = `model-0000${shard + 1}-of-0000${shards}.safetensors`;
    const dealt = tensors.filter((_, index) => index % shards === shard);
    for (const { name } of dealt) weightMap[name] = file;
    await writeDurably(join(directory, file), encodeSafetensors(dealt, { format: 'pt' }));
  }
  await writeJson(join(directory, WEIGHTS_INDEX_FILE), { metadata: {}, weight_map: weightMap });
}

function writeJson(path: string, value: unknown): Promise<void> {
  return writeFile(path, JSON.stringify(value, null, 2));
}

/** Normally distributed numbers of a seed: mulberry32 and the Box-Muller transform. */
function normalNumbers(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
