import { ggufTensorName, rotaryRowOrder } from '../../gguf-reader/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { rotaryFrequencies } from '../../model/config/rotary-tables.js';
import { tensorShapes } from '../../model/config/tensor-shapes.js';
import type { FloatTensor, Weights } from '../../tensor.js';
import { GgufUnsupportedError } from './gguf.errors.js';
import { ggufArchitecture } from './gguf-architecture.js';
import type { GgufTensor } from './gguf-file.js';

/** A model's tensors under llama.cpp's names and in its layout. */
export function toGgufTensors(config: LlamaConfig, weights: Weights): GgufTensor[] {
  const tensors = Array.from(tensorShapes(config), ([name, shape]): GgufTensor => {
    return { name: ggufName(config, name), shape, read: () => inGgufLayout(config, name, get(weights, name)) };
  });
  if (config.ropeScaling?.type === 'llama3') tensors.unshift(frequencyDivisors(config));
  return tensors;
}

function ggufName({ hasResultNorms }: LlamaConfig, name: string): string {
  const known = ggufTensorName(name, hasResultNorms);
  if (known === null) throw new GgufUnsupportedError(`GGUF has no name for ${name}`);
  return known;
}

function inGgufLayout(config: LlamaConfig, name: string, tensor: FloatTensor): FloatTensor {
  // llama.cpp multiplies by the weight of a norm, where Gemma means one plus the weight.
  if (config.hasUnitNorms && name.endsWith('norm.weight')) {
    return { ...tensor, data: tensor.data.map((value) => value + 1) };
  }
  const projection = /self_attn\.([qk])_proj\./.exec(name)?.[1];
  if (projection === undefined || !ggufArchitecture(config).isInterleaved) return tensor;
  return interleaveRotaryRows(tensor, projection === 'q' ? config.numHeads : config.numKvHeads);
}

/** @param tensor `[heads * headDim, in]`, or `[heads * headDim]` */
function interleaveRotaryRows(tensor: FloatTensor, heads: number): FloatTensor {
  const [rows, columns = 1] = tensor.shape as readonly [number, number?];
  const data = new Float32Array(tensor.data.length);
  for (const [row, target] of rotaryRowOrder(rows, heads).entries()) {
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
