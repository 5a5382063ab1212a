import { gradients } from '../../autodiff/index.js';
import { encodeGraph, Graph, type Value } from '../../graph/index.js';
import type { LossSettings } from '../../loss/index.js';
import { type AdamWSettings, emitAdamW } from '../adam-w.js';
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

/** The optimiser's step from the gradient of a whole row, `[size]`. */
export function buildUpdateGraph(optimiser: AdamWSettings, size: number): Uint8Array {
  const graph = new Graph();
  const input = (name: string) => graph.input(name, 'float32', [size]);
  emitAdamW(graph, optimiser, {
    parameters: input('parameters'),
    firstMoment: input('firstMoment'),
    secondMoment: input('secondMoment'),
    gradient: input('gradient'),
  });
  return encodeGraph(graph);
}
