import { ggufTensorName, rotaryRowOrder } from '../gguf-reader/index.js';
import type { LlamaConfig } from '../model/llama-config.js';
import { rotaryFrequencies } from '../model/rotary-tables.js';
import { tensorShapes } from '../model/tensor-shapes.js';
import type { FloatTensor, Weights } from '../tensor.js';

import type { GgufTensor } from './gguf-file.js';
import { GgufUnsupportedError } from './gguf.errors.js';

/** A model's tensors under llama.cpp's names and in its layout. */
export function toGgufTensors(config: LlamaConfig, weights: Weights): GgufTensor[] {
  const tensors = Array.from(tensorShapes(config), ([name, shape]): GgufTensor => {
    return { name: ggufName(name), shape, read: () => inGgufLayout(config, name, get(weights, name)) };
  });
  if (config.ropeScaling?.type === 'llama3') tensors.unshift(frequencyDivisors(config));
  return tensors;
}

function ggufName(name: string): string {
  const known = ggufTensorName(name);
  if (known === null) throw new GgufUnsupportedError(`GGUF has no name for ${name}`);
  return known;
}

function inGgufLayout(config: LlamaConfig, name: string, tensor: FloatTensor): FloatTensor {
  if (name.endsWith('q_proj.weight')) return interleaveRotaryRows(tensor, config.numHeads);
  if (name.endsWith('k_proj.weight')) return interleaveRotaryRows(tensor, config.numKvHeads);
  return tensor;
}

/** @param tensor `[heads * headDim, in]` */
function interleaveRotaryRows(tensor: FloatTensor, heads: number): FloatTensor {
  const [rows, columns] = tensor.shape as readonly [number, number];
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
