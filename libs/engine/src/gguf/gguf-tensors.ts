import type { LlamaConfig } from '../model/llama-config.js';
import { rotaryFrequencies } from '../model/rotary-tables.js';
import { tensorShapes } from '../model/tensor-shapes.js';
import type { FloatTensor, Weights } from '../tensor.js';

import type { GgufTensor } from './gguf-file.js';
import { GgufUnsupportedError } from './gguf.errors.js';

/** Names of llama.cpp for those of Hugging Face, within a layer. */
const LAYER_NAMES: Readonly<Record<string, string>> = {
  'input_layernorm.weight': 'attn_norm.weight',
  'self_attn.q_proj.weight': 'attn_q.weight',
  'self_attn.k_proj.weight': 'attn_k.weight',
  'self_attn.v_proj.weight': 'attn_v.weight',
  'self_attn.o_proj.weight': 'attn_output.weight',
  'post_attention_layernorm.weight': 'ffn_norm.weight',
  'mlp.gate_proj.weight': 'ffn_gate.weight',
  'mlp.up_proj.weight': 'ffn_up.weight',
  'mlp.down_proj.weight': 'ffn_down.weight',
};
const OUTER_NAMES: Readonly<Record<string, string>> = {
  'model.embed_tokens.weight': 'token_embd.weight',
  'model.norm.weight': 'output_norm.weight',
  'lm_head.weight': 'output.weight',
};

/** A model's tensors under llama.cpp's names and in its layout. */
export function toGgufTensors(config: LlamaConfig, weights: Weights): GgufTensor[] {
  const tensors = Array.from(tensorShapes(config), ([name, shape]): GgufTensor => {
    return { name: ggufName(name), shape, read: () => inGgufLayout(config, name, get(weights, name)) };
  });
  if (config.ropeScaling?.type === 'llama3') tensors.unshift(frequencyDivisors(config));
  return tensors;
}

function ggufName(name: string): string {
  const [, layer, rest = ''] = /^model\.layers\.(\d+)\.(.*)$/.exec(name) ?? [];
  const known = layer === undefined ? OUTER_NAMES[name] : LAYER_NAMES[rest];
  if (known === undefined) throw new GgufUnsupportedError(`GGUF has no name for ${name}`);
  return layer === undefined ? known : `blk.${layer}.${known}`;
}

function inGgufLayout(config: LlamaConfig, name: string, tensor: FloatTensor): FloatTensor {
  if (name.endsWith('q_proj.weight')) return interleaveRotaryRows(tensor, config.numHeads);
  if (name.endsWith('k_proj.weight')) return interleaveRotaryRows(tensor, config.numKvHeads);
  return tensor;
}

/**
 * Hugging Face turns row `i` of a head together with row `i + headDim / 2`; llama.cpp's llama architecture turns
 * neighbours, as the original weights had it. Row `i` becomes row `2 i`, row `i + headDim / 2` becomes `2 i + 1`.
 * Source: `permute` of llama.cpp's convert_hf_to_gguf.py.
 *
 * @param tensor `[heads * headDim, in]`
 */
function interleaveRotaryRows(tensor: FloatTensor, heads: number): FloatTensor {
  const [rows, columns] = tensor.shape as readonly [number, number];
  const headDim = rows / heads;
  const data = new Float32Array(tensor.data.length);
  for (let row = 0; row < rows; row++) {
    const within = row % headDim;
    const half = headDim / 2;
    const target = row - within + (within < half ? 2 * within : 2 * (within - half) + 1);
    data.set(tensor.data.subarray(row * columns, (row + 1) * columns), target * columns);
  }
  return { shape: tensor.shape, data };
}

/** llama.cpp knows the frequencies without scaling, and what to divide each of them by. */
function frequencyDivisors(config: LlamaConfig): GgufTensor {
  const plain = rotaryFrequencies({ ...config, ropeScaling: null });
  const scaled = rotaryFrequencies(config);
  const data = Float32Array.from(plain, (frequency, index) => frequency / scaled[index]!);
  return { name: 'rope_freqs.weight', shape: [data.length], read: () => ({ shape: [data.length], data }) };
}

function get(weights: Weights, name: string): FloatTensor {
  const tensor = weights.get(name);
  if (!tensor) throw new Error(`There is no tensor ${name}.`);
  return tensor;
}
