import * as ops from '../../graph/index.js';
import type { Graph, Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/llama-config.js';

import { layerInput } from './decoder-tensors.js';
import { addAndNorm, splitColumns } from './fused-ops.js';

/** What the attention of one layer gives. */
interface Attended {
  /** `[tokens, numHeads * headDim]`. */
  readonly mixed: Value;
  /** The tokens' own keys (already rotated) and values, as the graph's output wants them. */
  readonly newKeys: Value;
  readonly newValues: Value;
}

/** The part in which the two decoder graphs differ: how queries meet cached and new keys. */
export type Attend = (layer: number, queries: Value, keys: Value, values: Value) => Attended;

/** The form in which a graph has the model's matrices. */
export interface PassMatrices {
  /** Rows of the embedding, `[tokens, hiddenSize]`. */
  embed(): Value;
  /** `x W^T` with a matrix of the layer, `[out, in]`. */
  project(layer: number, part: string, value: Value, out: number): Value;
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
 * `LlamaForCausalLM`.
 *
 * @returns the residual stream after the last layer `[tokens, hiddenSize]`, and new keys and values, layer by layer
 */
export function emitLayers(pass: DecoderPass): { hidden: Value; newRows: Value[] } {
  const { graph, config } = pass;
  let hidden = pass.matrices.embed();
  let normed = ops.rmsNorm(graph, hidden, normInput(pass, 0, 'attentionNorm'), config.rmsNormEps).result;
  const newRows: Value[] = [];
  for (let layer = 0; layer < config.numLayers; layer += 1) {
    const { mixed, newKeys, newValues } = emitAttention(pass, layer, normed);
    newRows.push(newKeys, newValues);
    const scale = normInput(pass, layer, 'feedForwardNorm');
    const attended = addAndNorm(graph, hidden, mixed, scale, config.rmsNormEps);
    const fed = emitFeedForward(pass, layer, attended.normed);
    if (layer === config.numLayers - 1) return { hidden: ops.add(graph, attended.sum, fed), newRows };
    const nextScale = normInput(pass, layer + 1, 'attentionNorm');
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
  const scale = graph.input('norm', 'float32', [config.hiddenSize]);
  const normed = ops.rmsNorm(graph, hidden, scale, config.rmsNormEps).result;
  const logits = pass.matrices.head(normed);
  const logProbabilities = ops.logSoftmax(graph, logits);
  const first = (value: Value) => ops.slice(graph, value, 1, 0, 1);
  graph.output('logProbabilities', logProbabilities);
  graph.output('logPartition', ops.subtract(graph, first(logits), first(logProbabilities)));
}

function emitAttention(pass: DecoderPass, layer: number, normed: Value): Attended {
  const { graph, config } = pass;
  const [queryWidth, keyWidth] = [config.numHeads * config.headDim, config.numKvHeads * config.headDim];
  const qkv = pass.matrices.project(layer, 'qkv', normed, queryWidth + 2 * keyWidth);
  const [queries, keys, values] = splitColumns(graph, qkv, [queryWidth, keyWidth, keyWidth]);
  const attended = pass.attend(layer, queries as Value, keys as Value, values as Value);
  return { ...attended, mixed: pass.matrices.project(layer, 'output', attended.mixed, config.hiddenSize) };
}

/** SwiGLU: down(silu(gate x) * up x). Source: Shazeer, "GLU Variants Improve Transformer" (2020). */
function emitFeedForward(pass: DecoderPass, layer: number, normed: Value): Value {
  const { graph, config } = pass;
  const width = config.intermediateSize;
  const both = pass.matrices.project(layer, 'gateUp', normed, 2 * width);
  const [gate, up] = splitColumns(graph, both, [width, width]) as [Value, Value];
  return pass.matrices.project(layer, 'down', ops.multiply(graph, ops.silu(graph, gate), up), config.hiddenSize);
}

function normInput({ graph, config }: DecoderPass, layer: number, part: string): Value {
  return graph.input(layerInput(layer, part), 'float32', [config.hiddenSize]);
}
