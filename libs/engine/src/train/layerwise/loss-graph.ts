import { gradients } from '../../autodiff/index.js';
import { encodeGraph, Graph, type Value } from '../../graph/index.js';
import type { LossSettings } from '../../loss/index.js';
import { type AdamWSettings, emitAdamW, emitGradientNorm } from '../adam-w.js';
import { emitLoss } from '../train-graph.js';

/** From log-probabilities `lp` of all trained tokens of a pass to `loss` and its derivative by each, `lpGradient`. */
export function buildLossGraph(settings: LossSettings): Uint8Array {
  const graph = new Graph();
  const lp = graph.input('lp', 'float32', ['predictions']);
  const loss = emitLoss(graph, settings, lp);
  graph.output('loss', loss);
  graph.output('lpGradient', gradients(graph, loss, [lp])[0] as Value);
  return encodeGraph(graph);
}

/** From the gradient of a whole row, `[size]`, to its length `gradientNorm`. */
export function buildNormGraph(size: number): Uint8Array {
  const graph = new Graph();
  emitGradientNorm(graph, graph.input('gradient', 'float32', [size]));
  return encodeGraph(graph);
}

/** The optimiser's step of some parameters, `[size]`, with the length of the gradient of all, `gradientNorm`. */
export function buildUpdateGraph(optimiser: AdamWSettings, size: number): Uint8Array {
  const graph = new Graph();
  const input = (name: string) => graph.input(name, 'float32', [size]);
  emitAdamW(graph, optimiser, {
    parameters: input('parameters'),
    firstMoment: input('firstMoment'),
    secondMoment: input('secondMoment'),
    gradient: input('gradient'),
    gradientNorm: graph.input('gradientNorm', 'float32', []),
  });
  return encodeGraph(graph);
}
