import { Tensor } from 'onnxruntime-node';

import { layerNorms } from '../../model/config/layer-norms.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { type ProjectionName, projectionPath } from '../../model/config/projections.js';
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
    parts.push(...layerParts(config, layer));
  }
  return parts;
}

function layerParts(config: LlamaConfig, layer: number): DecoderPart[] {
  const part = (input: string, ...names: string[]): DecoderPart => ({
    input: layerInput(layer, input),
    sources: names.map((name) => `model.layers.${layer}.${name}`),
  });
  const norms = layerNorms(config);
  const norm = (input: string, name: string | null) => (name === null ? [] : [part(input, `${name}.weight`)]);
  const product = (input: keyof typeof PRODUCTS) => [
    part(input, ...PRODUCTS[input].map((name) => `${withinLayer(name)}.weight`)),
    ...(hasBias(config, input)
      ? [part(biasOf(input), ...PRODUCTS[input].map((name) => `${withinLayer(name)}.bias`))]
      : []),
  ];
  return [
    ...norm('attentionNorm', norms.beforeAttention),
    ...product('qkv'),
    ...(config.hasHeadNorms ? [...norm('queryNorm', 'self_attn.q_norm'), ...norm('keyNorm', 'self_attn.k_norm')] : []),
    ...product('output'),
    ...norm('attentionResultNorm', norms.afterAttention),
    ...norm('feedForwardNorm', norms.beforeFeedForward),
    ...product('gateUp'),
    ...product('down'),
    ...norm('feedForwardResultNorm', norms.afterFeedForward),
  ];
}

/** Products of a layer that read the same numbers, made together, and the projections that are their columns. */
export const PRODUCTS = {
  qkv: ['q_proj', 'k_proj', 'v_proj'],
  output: ['o_proj'],
  gateUp: ['gate_proj', 'up_proj'],
  down: ['down_proj'],
} as const satisfies Readonly<Record<string, readonly ProjectionName[]>>;
export type ProductName = keyof typeof PRODUCTS;

/** Families have biases on all projections of a product, or on none. */
export const hasBias = ({ biases }: LlamaConfig, product: ProductName): boolean =>
  biases?.includes(PRODUCTS[product][0]) === true;
export const biasOf = (product: ProductName): string => `${product}Bias`;

const withinLayer = (name: ProjectionName): string => projectionPath(0, name).replace('model.layers.0.', '');

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

/** Matrices `[out, in]` of one width below each other, or vectors `[out]`. */
function stackRows(matrices: readonly FloatTensor[]): FloatTensor {
  const [, ...width] = matrices[0]?.shape ?? [];
  const rows = matrices.reduce((sum, matrix) => sum + (matrix.shape[0] ?? 0), 0);
  const data = new Float32Array(rows * (width[0] ?? 1));
  let offset = 0;
  for (const matrix of matrices) {
    data.set(matrix.data, offset);
    offset += matrix.data.length;
  }
  return { shape: [rows, ...width], data };
}
