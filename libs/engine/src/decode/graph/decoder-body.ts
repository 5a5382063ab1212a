import type { Dim, Graph, Value } from '../../graph/index.js';
import * as ops from '../../graph/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { biasOf, hasBias, layerInput, type ProductName } from './decoder-tensors.js';
import { addAndNorm } from './fused-ops.js';

/** The results of the attention of one layer. */
interface Attended {
  /** `[tokens, numHeads * headDim]`. */
  readonly mixed: Value;
  /** The tokens' own keys (already rotated) and values, as the graph's output wants them. */
  readonly newKeys: Value;
  readonly newValues: Value;
}

/** The part in which the two decoder graphs differ: how queries meet cached and new keys. */
export type Attend = (layer: number, queries: Value, keys: Value, values: Value) => Attended;

/** How a graph holds the model's matrices. */
export interface PassMatrices {
  /** Rows of the embedding, `[tokens, hiddenSize]`. */
  embed(): Value;
  /**
   * `x W^T`, plus the bias, with each matrix `[width, in]` of a part of the layer.
   *
   * @param bias of all of them, one after the other; null: there is none
   */
  project(
    layer: number,
    part: ProductName,
    value: Value,
    widths: readonly number[],
    bias: Value | null,
  ): readonly Value[];
  /** Logits `[tokens, vocabSize]`. */
  head(normed: Value): Value;
}

/** A graph of the decoder under construction. */
export interface DecoderPass {
  readonly graph: Graph;
  readonly config: LlamaConfig;
  readonly matrices: PassMatrices;
  readonly attend: Attend;
}

/**
 * All layers of the decoder. Source of the architecture: Touvron et al., "Llama 2" (2023), as in Hugging Face's
 * `LlamaForCausalLM`; other families add steps, as LlamaConfig says.
 *
 * @returns the residual stream after the last layer `[tokens, hiddenSize]`, and new keys and values, layer by layer
 */
export function emitLayers(pass: DecoderPass): { hidden: Value; newRows: Value[] } {
  const { graph, config } = pass;
  let hidden = emitEmbedding(pass);
  let normed = ops.rmsNorm(graph, hidden, normScale(pass, 0, 'attentionNorm'), config.rmsNormEps).result;
  const newRows: Value[] = [];
  for (let layer = 0; layer < config.numLayers; layer += 1) {
    const { mixed, newKeys, newValues } = emitAttention(pass, layer, normed);
    newRows.push(newKeys, newValues);
    const scale = normScale(pass, layer, 'feedForwardNorm');
    const attended = addAndNorm(graph, hidden, mixed, scale, config.rmsNormEps);
    const fed = emitFeedForward(pass, layer, attended.normed);
    if (layer === config.numLayers - 1) return { hidden: ops.add(graph, attended.sum, fed), newRows };
    const nextScale = normScale(pass, layer + 1, 'attentionNorm');
    ({ sum: hidden, normed } = addAndNorm(graph, attended.sum, fed, nextScale, config.rmsNormEps));
  }
  throw new Error('A decoder has at least one layer.');
}

/**
 * Adds the outputs `logProbabilities` `[tokens, vocabSize]` and `logPartition` `[tokens, 1]`, the log of the sum
 * of all exponentials: both added give the raw logits, which the repetition penalty is defined on.
 */
export function emitHead(pass: DecoderPass, hidden: Value): void {
  const { graph, config } = pass;
  const scale = unitScale(pass, graph.input('norm', 'float32', [config.hiddenSize]));
  const normed = ops.rmsNorm(graph, hidden, scale, config.rmsNormEps).result;
  const products = pass.matrices.head(normed);
  const logits = config.logitCap === undefined ? products : ops.softCap(graph, products, config.logitCap);
  const logProbabilities = ops.logSoftmax(graph, logits);
  const first = (value: Value) => ops.slice(graph, value, 1, 0, 1);
  graph.output('logProbabilities', logProbabilities);
  graph.output('logPartition', ops.subtract(graph, first(logits), first(logProbabilities)));
}

/** Scores of attention before the mask. */
export function capScores(graph: Graph, { attentionCap }: LlamaConfig, scores: Value): Value {
  return attentionCap === undefined ? scores : ops.softCap(graph, scores, attentionCap);
}

function emitEmbedding({ graph, config, matrices }: DecoderPass): Value {
  const rows = matrices.embed();
  return config.embeddingScale === undefined ? rows : ops.multiply(graph, rows, config.embeddingScale);
}

function emitAttention(pass: DecoderPass, layer: number, normed: Value): Attended {
  const { config } = pass;
  const [queryWidth, keyWidth] = [config.numHeads * config.headDim, config.numKvHeads * config.headDim];
  const [queries, keys, values] = emitProducts(pass, layer, 'qkv', normed, [queryWidth, keyWidth, keyWidth]);
  const headNormed = (value: Value, part: string) =>
    config.hasHeadNorms ? normHeads(pass, layer, part, value) : value;
  const attended = pass.attend(layer, headNormed(queries, 'queryNorm'), headNormed(keys, 'keyNorm'), values);
  const [mixed] = emitProducts(pass, layer, 'output', attended.mixed, [config.hiddenSize]);
  return { ...attended, mixed: normResult(pass, layer, 'attentionResultNorm', mixed) };
}

/** Gated: down(act(gate x) * up x). Source: Shazeer, "GLU Variants Improve Transformer" (2020). */
function emitFeedForward(pass: DecoderPass, layer: number, normed: Value): Value {
  const { graph, config } = pass;
  const width = config.intermediateSize;
  const [gate, up] = emitProducts(pass, layer, 'gateUp', normed, [width, width]);
  const activated = config.activation === 'gelu' ? ops.gelu(graph, gate) : ops.silu(graph, gate);
  const [fed] = emitProducts(pass, layer, 'down', ops.multiply(graph, activated, up), [config.hiddenSize]);
  return normResult(pass, layer, 'feedForwardResultNorm', fed);
}

/** Products with the matrices of a part, each `[tokens, its width]`. */
function emitProducts<Widths extends readonly number[]>(
  { graph, config, matrices }: DecoderPass,
  layer: number,
  part: ProductName,
  value: Value,
  widths: readonly [...Widths],
): { readonly [Index in keyof Widths]: Value } {
  const out = widths.reduce((sum, width) => sum + width, 0);
  const bias = hasBias(config, part) ? graph.input(layerInput(layer, biasOf(part)), 'float32', [out]) : null;
  return matrices.project(layer, part, value, widths, bias) as { readonly [Index in keyof Widths]: Value };
}

/** Each head's norm of `[tokens, heads * headDim]`. */
function normHeads(pass: DecoderPass, layer: number, part: string, value: Value): Value {
  const { graph, config } = pass;
  const [tokens, width] = value.shape as readonly [Dim, number];
  const heads = ops.reshape(graph, value, [tokens, width / config.headDim, config.headDim]);
  const scale = normScale(pass, layer, part, config.headDim);
  return ops.reshape(graph, ops.rmsNorm(graph, heads, scale, config.rmsNormEps).result, [tokens, width]);
}

function normResult(pass: DecoderPass, layer: number, part: string, value: Value): Value {
  const { graph, config } = pass;
  if (!config.hasResultNorms) return value;
  return ops.rmsNorm(graph, value, normScale(pass, layer, part), config.rmsNormEps).result;
}

function normScale(pass: DecoderPass, layer: number, part: string, width = pass.config.hiddenSize): Value {
  return unitScale(pass, pass.graph.input(layerInput(layer, part), 'float32', [width]));
}

/** The factor of a norm, computed from its weight. */
function unitScale({ graph, config }: DecoderPass, weight: Value): Value {
  return config.hasUnitNorms ? ops.add(graph, weight, graph.constant(1)) : weight;
}
