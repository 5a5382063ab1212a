import type { DecoderShape } from './decoder-shape.js';
import type { LayerTensors } from './llama-config.js';
import { projectionPath, PROJECTIONS } from './projections.js';

/**
 * Every tensor of a model by its Hugging Face name, with its shape. A linear layer's matrix is
 * `[out, in]`, as PyTorch stores it.
 */
export function tensorShapes(config: DecoderShape & LayerTensors): Map<string, readonly number[]> {
  const { vocabSize, hiddenSize, numLayers, tiedHead } = config;
  const shapes = new Map<string, readonly number[]>([['model.embed_tokens.weight', [vocabSize, hiddenSize]]]);
  for (let layer = 0; layer < numLayers; layer++) {
    for (const [name, shape] of layerShapes(config)) shapes.set(`model.layers.${layer}.${name}`, shape);
  }
  shapes.set('model.norm.weight', [hiddenSize]);
  if (!tiedHead) shapes.set('lm_head.weight', [vocabSize, hiddenSize]);
  return shapes;
}

/** How many numbers the weights hold; a tied head is not counted twice. Needs no weights. */
export function countParameters(config: DecoderShape & LayerTensors): number {
  const { numLayers, vocabSize, hiddenSize, tiedHead } = config;
  const perLayer = layerShapes(config).reduce((sum, [, shape]) => sum + elements(shape), 0);
  return (tiedHead ? 1 : 2) * vocabSize * hiddenSize + numLayers * perLayer + hiddenSize;
}

type NamedShape = readonly [name: string, shape: readonly number[]];

function layerShapes(config: DecoderShape & LayerTensors): NamedShape[] {
  const { hiddenSize, headDim, biases = [], hasHeadNorms, hasResultNorms } = config;
  const matrices = matrixShapes(config);
  const norm = (name: string, size = hiddenSize): NamedShape => [`${name}.weight`, [size]];
  return [
    norm('input_layernorm'),
    ...matrices.slice(0, 4).map(([name, shape]): NamedShape => [`${name}.weight`, shape]),
    norm('post_attention_layernorm'),
    ...matrices.slice(4).map(([name, shape]): NamedShape => [`${name}.weight`, shape]),
    ...matrices.flatMap(([name, [rows]], at): NamedShape[] =>
      biases.includes(PROJECTIONS[at]!) ? [[`${name}.bias`, [rows]]] : [],
    ),
    ...(hasHeadNorms ? [norm('self_attn.q_norm', headDim), norm('self_attn.k_norm', headDim)] : []),
    ...(hasResultNorms ? [norm('pre_feedforward_layernorm'), norm('post_feedforward_layernorm')] : []),
  ];
}

/** The projections of a layer, in their order: path within the layer, and `[out, in]`. */
function matrixShapes(config: DecoderShape): (readonly [path: string, shape: readonly [number, number]])[] {
  const { hiddenSize, intermediateSize, numHeads, numKvHeads, headDim } = config;
  const [queries, keys] = [numHeads * headDim, numKvHeads * headDim];
  const shapes = [
    ...([
      [queries, hiddenSize],
      [keys, hiddenSize],
      [keys, hiddenSize],
      [hiddenSize, queries],
    ] as const),
    ...([
      [intermediateSize, hiddenSize],
      [intermediateSize, hiddenSize],
      [hiddenSize, intermediateSize],
    ] as const),
  ];
  return shapes.map((shape, at) => [projectionPath(0, PROJECTIONS[at]!).replace('model.layers.0.', ''), shape]);
}

/** How many numbers a tensor of this shape has. */
export function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
