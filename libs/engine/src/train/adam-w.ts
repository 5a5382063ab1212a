import type { Graph, Value } from '../graph/index.js';
import * as ops from '../graph/index.js';

/** Constants of a run's optimiser. */
export interface AdamWSettings {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** Share of each weight taken off per step, times the learning rate; apart from the gradient. */
  readonly weightDecay: number;
  /** A gradient longer than this, over all parameters, is shortened to it. */
  readonly maxGradientNorm: number;
}

interface AdamWInputs {
  readonly parameters: Value;
  readonly firstMoment: Value;
  readonly secondMoment: Value;
  readonly gradient: Value;
  /** Norm of the gradient of all parameters, if these are only some of them. Absent: the norm of `gradient`. */
  readonly gradientNorm?: Value;
}

/**
 * One AdamW update of the flat parameter vector, `[size]` each.
 * Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019), in PyTorch's order of operations.
 *
 * Scalars `learningRate`, `correction1` and `correction2` (1 - beta^step) become inputs of the graph.
 */
export function emitAdamW(graph: Graph, settings: AdamWSettings, inputs: AdamWInputs): void {
  const { beta1, beta2, epsilon, weightDecay } = settings;
  const [learningRate, correction1, correction2] = ['learningRate', 'correction1', 'correction2'].map((name) =>
    graph.input(name, 'float32', []),
  ) as [Value, Value, Value];
  const norm = inputs.gradientNorm ?? emitGradientNorm(graph, inputs.gradient);
  const gradient = ops.multiply(graph, inputs.gradient, emitClipFactor(graph, norm, settings.maxGradientNorm));
  const decayed = (moment: Value, beta: number, now: Value) =>
    ops.add(graph, ops.multiply(graph, moment, beta), ops.multiply(graph, now, 1 - beta));
  const first = decayed(inputs.firstMoment, beta1, gradient);
  const second = decayed(inputs.secondMoment, beta2, ops.multiply(graph, gradient, gradient));
  const denominator = ops.add(
    graph,
    ops.divide(graph, ops.squareRoot(graph, second), ops.squareRoot(graph, correction2)),
    epsilon,
  );
  const step = ops.multiply(graph, ops.divide(graph, first, denominator), ops.divide(graph, learningRate, correction1));
  const keep = ops.subtract(graph, graph.constant(1), ops.multiply(graph, learningRate, weightDecay));
  const kept = weightDecay === 0 ? inputs.parameters : ops.multiply(graph, inputs.parameters, keep);
  graph.output('newParameters', ops.subtract(graph, kept, step));
  graph.output('newFirstMoment', first);
  graph.output('newSecondMoment', second);
}

/** Length of the gradient, which becomes the output `gradientNorm`, too. */
export function emitGradientNorm(graph: Graph, gradient: Value): Value {
  const norm = ops.squareRoot(graph, ops.sumOfSquares(graph, gradient));
  graph.output('gradientNorm', norm);
  return norm;
}

/** `limit / (norm + 1e-6)` where the norm is above the limit, else 1. */
function emitClipFactor(graph: Graph, norm: Value, limit: number): Value {
  const factor = ops.divide(graph, graph.constant(limit), ops.add(graph, norm, 1e-6));
  return ops.where(graph, ops.greater(graph, norm, limit), factor, 1);
}
