import type { Graph, Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import { layerNorms } from '../model/config/layer-norms.js';
import { attentionScaleOf, layerAttention, type LlamaConfig } from '../model/config/llama-config.js';
import { moduleScaleOf } from './lora-variant.js';
import {
  EMBEDDING,
  FINAL_NORM,
  HEAD,
  type ProjectionName,
  projectionPath,
  type TrainedPart,
} from './trained-parameters.js';

/** Finds a weight of the model, frozen or trained, by its name. */
export type WeightOf = (name: string) => Value;

/** Values of a layer whose making costs a product with a matrix, and which its backward pass needs. */
export const LAYER_PRODUCTS = ['q_proj', 'k_proj', 'v_proj', 'attended', 'gate_proj', 'up_proj'] as const;
export type LayerProduct = (typeof LAYER_PRODUCTS)[number];

/** State that all layers of one pass share. */
interface Pass {
  readonly graph: Graph;
  readonly config: LlamaConfig;
  readonly part: TrainedPart;
  readonly weight: WeightOf;
  /** Builds the product of a value with a matrix and its adapter. */
  readonly adapted: typeof ops.adaptedMatMul;
  /** Factor of an adapter's product, by the path of its matrix. */
  readonly scaleOf: (path: string) => number;
  /** Context of the layers that see all tokens, and of those that see a window. */
  readonly context: LayerContext;
  readonly window: () => LayerContext;
  /** Called with each product of the layer when it is built. */
  readonly show?: (product: LayerProduct, value: Value) => void;
}

/** The inputs of a layer's attention besides its tokens. */
interface LayerContext {
  /** `[length, length]`: 0 where a token may look, a large negative number where it may not. */
  readonly mask: Value;
  /** `[length, headDim / 2]`. */
  readonly cosines: Value;
  readonly sines: Value;
}

/** A pass whose masks and rotary tables become inputs of the graph. */
export function openPass(
  graph: Graph,
  config: LlamaConfig,
  part: TrainedPart,
  weight: WeightOf,
  {
    adapted = ops.adaptedMatMul,
    show,
    scaleOf = scalesOf(part),
  }: Partial<Pick<Pass, 'adapted' | 'show' | 'scaleOf'>> = {},
): Pass {
  const half = config.headDim / 2;
  const input = (name: string, width: number | 'length') =>
    graph.once(name, () => graph.input(name, 'float32', ['length', width]));
  return {
    graph,
    config,
    part,
    weight,
    adapted,
    scaleOf,
    context: { mask: input('mask', 'length'), cosines: input('cosines', half), sines: input('sines', half) },
    window: () => ({
      mask: input('windowMask', 'length'),
      cosines: input('windowCosines', half),
      sines: input('windowSines', half),
    }),
    ...(show && { show }),
  };
}

const scalesOf = (part: TrainedPart) => (path: string) =>
  part.kind === 'lora' ? moduleScaleOf(part.lora, path).scale : 1;

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
  const { embeddingScale, hiddenSize } = config;
  const scaled = embeddingScale === undefined ? embedded : ops.multiply(graph, embedded, embeddingScale);
  let hidden = ops.reshape(graph, scaled, ['tokens', hiddenSize]);
  for (let layer = 0; layer < config.numLayers; layer += 1) hidden = emitLayer(pass, layer, hidden);
  const last = ops.gatherDifferentRows(graph, hidden, wanted);
  const normed = norm(pass, last, FINAL_NORM);
  const logits = ops.matMul(graph, normed, weight(config.tiedHead ? EMBEDDING : HEAD), { transB: true });
  return ops.logSoftmax(graph, capped(graph, logits, config.logitCap));
}

/** One layer, `[tokens, hiddenSize]` to the same shape. */
export function emitLayer(pass: Pass, layer: number, hidden: Value): Value {
  const { graph, config } = pass;
  const normed = (value: Value, name: string | null) =>
    name === null ? value : norm(pass, value, `model.layers.${layer}.${name}.weight`);
  const norms = layerNorms(config);
  const mixed = emitAttention(pass, layer, normed(hidden, norms.beforeAttention));
  const attended = ops.add(graph, hidden, normed(mixed, norms.afterAttention));
  pass.show?.('attended', attended);
  const fed = emitFeedForward(pass, layer, normed(attended, norms.beforeFeedForward));
  return ops.add(graph, attended, normed(fed, norms.afterFeedForward));
}

/** Over the last dimension, with the weight of that name. */
function norm({ graph, config, weight }: Pass, value: Value, name: string): Value {
  const scale = config.hasUnitNorms ? ops.add(graph, weight(name), graph.constant(1)) : weight(name);
  return ops.rmsNorm(graph, value, scale, config.rmsNormEps).result;
}

function capped(graph: Graph, value: Value, cap: number | undefined): Value {
  return cap === undefined ? value : ops.softCap(graph, value, cap);
}

/** Gated: down(act(gate x) * up x). Source: Shazeer, "GLU Variants Improve Transformer" (2020). */
function emitFeedForward(pass: Pass, layer: number, input: Value): Value {
  const activate = pass.config.activation === 'gelu' ? ops.gelu : ops.silu;
  const gate = activate(pass.graph, shown(pass, layer, 'gate_proj', input));
  return project(pass, layer, 'down_proj', ops.multiply(pass.graph, gate, shown(pass, layer, 'up_proj', input)));
}

function emitAttention(pass: Pass, layer: number, input: Value): Value {
  const { graph, config } = pass;
  const { numHeads, numKvHeads, headDim } = config;
  const { isWindowed, isRotated } = layerAttention(config, layer);
  const context = isWindowed ? pass.window() : pass.context;
  const turned = (value: Value) =>
    isRotated ? ops.rotary(graph, value, graph.integers([0]), context.cosines, context.sines) : value;
  const heads = (name: ProjectionName & LayerProduct, count: number) =>
    byHead(graph, shown(pass, layer, name, input), count, headDim);
  const normed = (value: Value, name: string) =>
    config.hasHeadNorms ? norm(pass, value, `model.layers.${layer}.self_attn.${name}.weight`) : value;
  const keys = turned(normed(heads('k_proj', numKvHeads), 'k_norm'));
  const values = heads('v_proj', numKvHeads);
  // Query heads that share a key head stand one after the other: one product serves them all.
  const group = numHeads / numKvHeads;
  const length = group === 1 ? 'length' : `${group}*length`;
  const perQuery = turned(normed(heads('q_proj', numHeads), 'q_norm'));
  const queries = ops.reshape(graph, perQuery, ['batch', numKvHeads, length, headDim]);
  const scores = ops.matMul(graph, queries, keys, { transB: true, alpha: attentionScaleOf(config) });
  const perHead = ops.reshape(graph, scores, ['batch', numHeads, 'length', 'length']);
  const attention = ops.softmax(graph, ops.add(graph, capped(graph, perHead, config.attentionCap), context.mask));
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

/** `x W^T`, and with an adapter on this projection `x (W + scale B A)^T`; plus the bias, if there is one. */
function project(pass: Pass, layer: number, name: ProjectionName, input: Value): Value {
  const product = multiplied(pass, layer, name, input);
  if (pass.config.biases?.includes(name) !== true) return product;
  return ops.add(pass.graph, product, pass.weight(`${projectionPath(layer, name)}.bias`));
}

function multiplied(
  { graph, part, weight, adapted, scaleOf }: Pass,
  layer: number,
  name: ProjectionName,
  input: Value,
): Value {
  const path = projectionPath(layer, name);
  const frozen = weight(`${path}.weight`);
  if (part.kind !== 'lora' || !part.lora.targets.includes(name)) {
    return ops.matMul(graph, input, frozen, { transB: true });
  }
  const [a, b] = ['lora_A', 'lora_B'].map((matrix) => weight(`${path}.${matrix}.weight`)) as [Value, Value];
  return adapted(graph, input, frozen, { a, b, scale: scaleOf(path) });
}
