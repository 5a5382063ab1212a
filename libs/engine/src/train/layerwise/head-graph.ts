import { gradients } from '../../autodiff/index.js';
import * as ops from '../../graph/index.js';
import { encodeGraph, Graph, type Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/llama-config.js';
import { FINAL_NORM } from '../trained-parameters.js';
import { emitEntropy } from '../train-graph.js';

/** `score`: log-probabilities alone. `slope`: also their derivative by the last layer's result. */
export type HeadStage = 'score' | 'slope';

/**
 * The graph from rows of the last layer's result, `hidden` `[predictions, hiddenSize]`, to the log-probability `lp` of
 * each row's target. A row's log-probability depends on that row alone, so `slope` `[predictions, hiddenSize]` is all
 * that the backward pass of any loss needs: the logits of a chunk of rows never outlive its run.
 *
 * Inputs besides: `targets`, the final norm, and the head's matrix as `head` `[vocabSize, hiddenSize]`.
 */
export function buildHeadGraph(config: LlamaConfig, stage: HeadStage): Uint8Array {
  const graph = new Graph();
  const hidden = graph.input('hidden', 'float32', ['predictions', config.hiddenSize]);
  const targets = graph.input('targets', 'int64', ['predictions']);
  const weight = graph.input(FINAL_NORM, 'float32', [config.hiddenSize]);
  const norm = config.hasUnitNorms ? ops.add(graph, weight, graph.constant(1)) : weight;
  const head = graph.input('head', 'float32', [config.vocabSize, config.hiddenSize]);
  const { result } = ops.rmsNorm(graph, hidden, norm, config.rmsNormEps);
  const logits = emitLogits(graph, ops.matMul(graph, result, head, { transB: true }), config.logitCap);
  const distribution = ops.logSoftmax(graph, logits.capped);
  graph.output('lp', ops.pickPerRow(graph, distribution, targets));
  graph.output('entropy', emitEntropy(graph, distribution));
  if (stage === 'score') graph.output('best', ops.largest(graph, distribution));
  else graph.output('slope', emitSlope(graph, { hidden, targets, head, result, distribution, slope: logits.slope }));
  return encodeGraph(graph);
}

interface HeadValues {
  readonly hidden: Value;
  readonly targets: Value;
  readonly head: Value;
  /** Of the norm. */
  readonly result: Value;
  readonly distribution: Value;
  /** Of the capped logits by the products with the head's matrix; null: they are the products. */
  readonly slope: Value | null;
}

/** With y = cap tanh(x / cap) the derivative is 1 - (y / cap)^2. */
function emitLogits(graph: Graph, products: Value, cap: number | undefined): { capped: Value; slope: Value | null } {
  if (cap === undefined) return { capped: products, slope: null };
  const capped = ops.softCap(graph, products, cap);
  const share = ops.divide(graph, capped, cap);
  return { capped, slope: ops.subtract(graph, graph.constant(1), ops.multiply(graph, share, share)) };
}

/** By logits the derivative is onehot(target) - p, so by the norm's result it is W[target] - p W. */
function emitSlope(graph: Graph, { hidden, targets, head, result, distribution, slope }: HeadValues): Value {
  const probabilities = ops.probabilities(graph, distribution);
  const weights = slope === null ? probabilities : ops.multiply(graph, probabilities, slope);
  const expected = ops.matMul(graph, weights, head);
  const rows = ops.gatherRows(graph, head, targets);
  const ofTarget = slope === null ? rows : ops.multiply(graph, rows, columnOf(graph, slope, targets));
  const seed = ops.subtract(graph, ofTarget, expected);
  return gradients(graph, result, [hidden], seed)[0] as Value;
}

/** Element `indices[n]` of row n, `[rows, 1]`. */
function columnOf(graph: Graph, table: Value, indices: Value): Value {
  return ops.reshape(graph, ops.pickPerRow(graph, table, indices), ['predictions', 1]);
}
