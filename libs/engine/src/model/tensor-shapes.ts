import type { DecoderShape } from './decoder-shape.js';

/**
 * Every tensor of a Llama model by its Hugging Face name, with its shape. A linear layer's matrix is
 * `[out, in]`, as PyTorch stores it.
 */
export function tensorShapes(config: DecoderShape): Map<string, readonly number[]> {
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
export function countParameters(config: DecoderShape): number {
  const { numLayers, vocabSize, hiddenSize, tiedHead } = config;
  const perLayer = layerShapes(config).reduce((sum, [, shape]) => sum + elements(shape), 0);
  return (tiedHead ? 1 : 2) * vocabSize * hiddenSize + numLayers * perLayer + hiddenSize;
}

function layerShapes(config: DecoderShape): [name: string, shape: readonly number[]][] {
  const { hiddenSize, intermediateSize, numHeads, numKvHeads, headDim } = config;
  return [
    ['input_layernorm.weight', [hiddenSize]],
    ['self_attn.q_proj.weight', [numHeads * headDim, hiddenSize]],
    ['self_attn.k_proj.weight', [numKvHeads * headDim, hiddenSize]],
    ['self_attn.v_proj.weight', [numKvHeads * headDim, hiddenSize]],
    ['self_attn.o_proj.weight', [hiddenSize, numHeads * headDim]],
    ['post_attention_layernorm.weight', [hiddenSize]],
    ['mlp.gate_proj.weight', [intermediateSize, hiddenSize]],
    ['mlp.up_proj.weight', [intermediateSize, hiddenSize]],
    ['mlp.down_proj.weight', [hiddenSize, intermediateSize]],
  ];
}

function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
