import * as ops from '../graph/index.js';
import type { Graph, Value } from '../graph/index.js';
import type { LlamaConfig } from '../model/llama-config.js';
import {
  attentionNorm,
  EMBEDDING,
  feedForwardNorm,
  FINAL_NORM,
  HEAD,
  projectionPath,
  type ProjectionName,
  type TrainedPart,
} from './trained-parameters.js';

/** Finds a weight of the model, frozen or trained, by its name. */
export type WeightOf = (name: string) => Value;

/** Values of a layer whose making costs a product with a matrix, and which its backward pass needs. */
export const LAYER_PRODUCTS = ['q_proj', 'k_proj', 'v_proj', 'attended', 'gate_proj', 'up_proj'] as const;
export type LayerProduct = (typeof LAYER_PRODUCTS)[number];

/** What every layer of one pass shares. */
interface Pass {
  readonly graph: Graph;
  readonly config: LlamaConfig;
  readonly part: TrainedPart;
  readonly weight: WeightOf;
  /** `[length, length]`: 0 where a token may look, a large negative number where it may not. */
  readonly mask: Value;
  readonly cosines: Value;
  readonly sines: Value;
  /** Is shown each of the layer's products when it is made. */
  readonly show?: (product: LayerProduct, value: Value) => void;
}

/** A pass whose mask and rotary tables become inputs of the graph. */
export function openPass(
  graph: Graph,
  config: LlamaConfig,
  part: TrainedPart,
  weight: WeightOf,
  show?: Pass['show'],
): Pass {
  const half = config.headDim / 2;
  return {
    graph,
    config,
    part,
    weight,
    mask: graph.input('mask', 'float32', ['length', 'length']),
    cosines: graph.input('cosines', 'float32', ['length', half]),
    sines: graph.input('sines', 'float32', ['length', half]),
    ...(show && { show }),
  };
}

/**
 * The decoder's forward pass over whole sequences, without a cache, in operators that all have gradients.
 * Source of the architecture: Touvron et al., "Llama 2" (2023), as in Hugging Face's `LlamaForCausalLM`.
 *
 * @param ids int64 `[batch, length]`, each row padded at the right: under the causal mask no real token sees padding
 * @param wanted int64 `[predictions]`: positions in the flattened `[batch * length]` whose next token is asked for,
 *   none of them twice
 * @returns raw log-probabilities of the next token, `[predictions, vocabSize]`
 */
export function emitLogProbabilities(
  graph: Graph,
  config: LlamaConfig,
  part: TrainedPart,
  weight: WeightOf,
  ids: Value,
  wanted: Value,
): Value {
  const pass = openPass(graph, config, part, weight);
  const embedded = ops.gatherRows(graph, weight(EMBEDDING), ids);
  let hidden = ops.reshape(graph, embedded, ['tokens', config.hiddenSize]);
  for (let layer = 0; layer < config.numLayers; layer += 1) hidden = emitLayer(pass, layer, hidden);
  const last = ops.gatherDifferentRows(graph, hidden, wanted);
  const { result } = ops.rmsNorm(graph, last, weight(FINAL_NORM), config.rmsNormEps);
  const logits = ops.matMul(graph, result, weight(config.tiedHead ? EMBEDDING : HEAD), { transB: true });
  return ops.logSoftmax(graph, logits);
}

/** One layer, `[tokens, hiddenSize]` to the same shape. */
export function emitLayer(pass: Pass, layer: number, hidden: Value): Value {
  const { graph, config, weight } = pass;
  const norm = (value: Value, name: string) => ops.rmsNorm(graph, value, weight(name), config.rmsNormEps).result;
  const attended = ops.add(graph, hidden, emitAttention(pass, layer, norm(hidden, attentionNorm(layer))));
  pass.show?.('attended', attended);
  return ops.add(graph, attended, emitFeedForward(pass, layer, norm(attended, feedForwardNorm(layer))));
}

/** SwiGLU: down(silu(gate x) * up x). Source: Shazeer, "GLU Variants Improve Transformer" (2020). */
function emitFeedForward(pass: Pass, layer: number, input: Value): Value {
  const gate = ops.silu(pass.graph, shown(pass, layer, 'gate_proj', input));
  return project(pass, layer, 'down_proj', ops.multiply(pass.graph, gate, shown(pass, layer, 'up_proj', input)));
}

function emitAttention(pass: Pass, layer: number, input: Value): Value {
  const { graph, config } = pass;
  const { numHeads, numKvHeads, headDim } = config;
  const turned = (value: Value) => ops.rotary(graph, value, graph.integers([0]), pass.cosines, pass.sines);
  const heads = (name: ProjectionName & LayerProduct, count: number) =>
    byHead(graph, shown(pass, layer, name, input), count, headDim);
  const keys = turned(heads('k_proj', numKvHeads));
  const values = heads('v_proj', numKvHeads);
  // Query heads that share a key head stand one after the other: one product serves them all.
  const group = numHeads / numKvHeads;
  const length = group === 1 ? 'length' : `${group}*length`;
  const queries = ops.reshape(graph, turned(heads('q_proj', numHeads)), ['batch', numKvHeads, length, headDim]);
  const scores = ops.matMul(graph, queries, keys, { transB: true, alpha: 1 / Math.sqrt(headDim) });
  const perHead = ops.reshape(graph, scores, ['batch', numHeads, 'length', 'length']);
  const attention = ops.softmax(graph, ops.add(graph, perHead, pass.mask));
  const grouped = ops.reshape(graph, attention, ['batch', numKvHeads, length, 'length']);
  const mixed = ops.reshape(graph, ops.matMul(graph, grouped, values), ['batch', numHeads, 'length', headDim]);
  const joined = ops.reshape(graph, ops.transpose(graph, mixed, [0, 2, 1, 3]), ['tokens', numHeads * headDim]);
  return project(pass, layer, 'o_proj', joined);
}

/** `[tokens, heads * headDim]` to `[batch, heads, length, headDim]`. */
function byHead(graph: Graph, value: Value, heads: number, headDim: number): Value {
  return ops.transpose(graph, ops.reshape(graph, value, ['batch', 'length', heads, headDim]), [0, 2, 1, 3]);
}

function shown(pass: Pass, layer: number, name: ProjectionName & LayerProduct, input: Value): Value {
  const product = project(pass, layer, name, input);
  pass.show?.(name, product);
  return product;
}

/** `x W^T`, and with an adapter on this projection `x (W + (alpha / rank) B A)^T`. */
function project({ graph, part, weight }: Pass, layer: number, name: ProjectionName, input: Value): Value {
  const path = projectionPath(layer, name);
  const frozen = weight(`${path}.weight`);
  if (part.kind !== 'lora' || !part.lora.targets.includes(name)) {
    return ops.matMul(graph, input, frozen, { transB: true });
  }
  const [a, b] = ['lora_A', 'lora_B'].map((matrix) => weight(`${path}.${matrix}.weight`)) as [Value, Value];
  return ops.adaptedMatMul(graph, input, frozen, { a, b, scale: part.lora.alpha / part.lora.rank });
}
