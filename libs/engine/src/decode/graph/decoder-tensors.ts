import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../../model/llama-config.js';
import type { FloatTensor, Weights } from '../../tensor.js';

/** The weights of a checkpoint under the names of the decoder graphs' inputs, ready to be fed. */
export type DecoderTensors = Readonly<Record<string, Tensor>>;

/** An input of the decoder graphs and the tensors of the Hugging Face layout that stand in it, below each other. */
interface DecoderPart {
  readonly input: string;
  readonly sources: readonly string[];
}

/** Names of the graph inputs that belong to one layer. */
export const layerInput = (layer: number, part: string): string => `layers.${layer}.${part}`;

/**
 * How weights are laid out for the decoder graphs: the query, key and value matrices of a layer as one, and so
 * gate and up, because two large products are faster than five small ones.
 */
export function decoderParts(config: LlamaConfig): DecoderPart[] {
  const parts: DecoderPart[] = [
    { input: 'embedding', sources: ['model.embed_tokens.weight'] },
    { input: 'norm', sources: ['model.norm.weight'] },
  ];
  if (!config.tiedHead) parts.push({ input: 'head', sources: ['lm_head.weight'] });
  for (let layer = 0; layer < config.numLayers; layer += 1) {
    const add = (part: string, ...names: string[]) =>
      parts.push({
        input: layerInput(layer, part),
        sources: names.map((name) => `model.layers.${layer}.${name}.weight`),
      });
    add('attentionNorm', 'input_layernorm');
    add('qkv', 'self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj');
    add('output', 'self_attn.o_proj');
    add('feedForwardNorm', 'post_attention_layernorm');
    add('gateUp', 'mlp.gate_proj', 'mlp.up_proj');
    add('down', 'mlp.down_proj');
  }
  return parts;
}

/** One part of a checkpoint. A part of a single tensor shares its memory. */
export function layOutPart(weights: Weights, { sources }: DecoderPart): FloatTensor {
  const tensors = sources.map((name) => {
    const found = weights.get(name);
    if (found === undefined) throw new Error(`The weights hold no ${name}.`);
    return found;
  });
  return tensors.length === 1 ? (tensors[0] as FloatTensor) : stackRows(tensors);
}

export function toTensor({ data, shape }: FloatTensor): Tensor {
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
