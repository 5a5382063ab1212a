import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../../model/llama-config.js';
import type { FloatTensor, Weights } from '../../tensor.js';

/** The weights of a checkpoint under the names of the decoder graphs' inputs, ready to be fed. */
export type DecoderTensors = Readonly<Record<string, Tensor>>;

/** Names of the graph inputs that belong to one layer. */
export const layerInput = (layer: number, part: string): string => `layers.${layer}.${part}`;

/**
 * Lays weights out as the decoder graphs take them: the query, key and value matrices of a layer as one, and
 * so gate and up, because two large products are faster than five small ones. All else is passed on as it is:
 * checkpoints that share a matrix with their base share its memory.
 *
 * @param weights by their names in the Hugging Face layout, matrices `[out, in]`
 */
export function toDecoderTensors(config: LlamaConfig, weights: Weights): DecoderTensors {
  const get = (name: string): FloatTensor => {
    const found = weights.get(name);
    if (found === undefined) throw new Error(`The weights hold no ${name}.`);
    return found;
  };
  const tensors: Record<string, Tensor> = {
    embedding: toTensor(get('model.embed_tokens.weight')),
    norm: toTensor(get('model.norm.weight')),
  };
  if (!config.tiedHead) tensors['head'] = toTensor(get('lm_head.weight'));
  for (let layer = 0; layer < config.numLayers; layer += 1) {
    const path = `model.layers.${layer}`;
    const attention = (name: string) => get(`${path}.self_attn.${name}_proj.weight`);
    const parts = {
      attentionNorm: get(`${path}.input_layernorm.weight`),
      qkv: stackRows(['q', 'k', 'v'].map(attention)),
      output: attention('o'),
      feedForwardNorm: get(`${path}.post_attention_layernorm.weight`),
      gateUp: stackRows(['gate', 'up'].map((name) => get(`${path}.mlp.${name}_proj.weight`))),
      down: get(`${path}.mlp.down_proj.weight`),
    };
    for (const [part, tensor] of Object.entries(parts)) tensors[layerInput(layer, part)] = toTensor(tensor);
  }
  return tensors;
}

function toTensor({ data, shape }: FloatTensor): Tensor {
  return new Tensor('float32', data, shape);
}

/** Matrices `[out, in]` of one width below each other. */
function stackRows(matrices: readonly FloatTensor[]): FloatTensor {
  const width = matrices[0]?.shape[1] ?? 0;
  const rows = matrices.reduce((sum, matrix) => sum + (matrix.shape[0] ?? 0), 0);
  const data = new Float32Array(rows * width);
  let offset = 0;
  for (const matrix of matrices) {
    data.set(matrix.data, offset);
    offset += matrix.data.length;
  }
  return { shape: [rows, width], data };
}
