import { gradients } from '../../autodiff/index.js';
import * as ops from '../../graph/index.js';
import { encodeGraph, Graph, type Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { emitEntropy } from '../train-graph.js';
import { FINAL_NORM } from '../trained-parameters.js';

/**
 * `score`, `slope`: what a part of the vocabulary contributes to log-probabilities, and to their derivative besides.
 * `norm`: that derivative, taken back through the final norm.
 */
export type HeadStage = 'score' | 'slope' | 'norm';

/** The graph of one stage on rows of the last layer's result, `hidden` `[predictions, hiddenSize]`, and the final norm. */
export function buildHeadGraph(config: LlamaConfig, stage: HeadStage): Uint8Array {
  const graph = new Graph();
  const hidden = graph.input('hidden', 'float32', ['predictions', config.hiddenSize]);
  const weight = graph.input(FINAL_NORM, 'float32', [config.hiddenSize]);
  const norm = config.hasUnitNorms ? ops.add(graph, weight, graph.constant(1)) : weight;
  const { result } = ops.rmsNorm(graph, hidden, norm, config.rmsNormEps);
  if (stage === 'norm') {
    const seed = graph.input('seed', 'float32', ['predictions', config.hiddenSize]);
    graph.output('slope', gradients(graph, result, [hidden], seed)[0] as Value);
  } else emitPart(graph, config, stage, result);
  return encodeGraph(graph);
}

/**
 * Of the tokens whose rows of the head's matrix are fed as `head` `[part, hiddenSize]`, as if there were no others: the
 * distribution's `entropy`; of the `targets` in it the logits `logit` and log-probabilities `lp`; and either the
 * likeliest one's, `best`, or the expected row of the matrix, `expected`.
 */
function emitPart(graph: Graph, config: LlamaConfig, stage: 'score' | 'slope', result: Value): void {
  const head = graph.input('head', 'float32', ['part', config.hiddenSize]);
  const targets = graph.input('targets', 'int64', ['predictions']);
  const products = ops.matMul(graph, result, head, { transB: true });
  const logits = config.logitCap === undefined ? products : ops.softCap(graph, products, config.logitCap);
  const distribution = ops.logSoftmax(graph, logits);
  graph.output('logit', ops.pickPerRow(graph, logits, targets));
  graph.output('lp', ops.pickPerRow(graph, distribution, targets));
  graph.output('entropy', emitEntropy(graph, distribution));
  if (stage === 'score') graph.output('best', ops.largest(graph, distribution));
  else graph.output('expected', emitExpected(graph, distribution, logits, head, config.logitCap));
}

/** Rows by their probability. A capped logit y = cap tanh(x / cap) moves by 1 - (y / cap)^2 with x. */
function emitExpected(graph: Graph, distribution: Value, logits: Value, head: Value, cap: number | undefined): Value {
  const probabilities = ops.probabilities(graph, distribution);
  if (cap === undefined) return ops.matMul(graph, probabilities, head);
  const share = ops.divide(graph, logits, cap);
  const slope = ops.subtract(graph, graph.constant(1), ops.multiply(graph, share, share));
  return ops.matMul(graph, ops.multiply(graph, probabilities, slope), head);
}
