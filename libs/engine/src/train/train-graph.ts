import { gradients } from '../autodiff/index.js';
import * as ops from '../graph/index.js';
import { encodeGraph, Graph, type Value } from '../graph/index.js';
import type { LossSettings } from '../loss/index.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import { tensorShapes } from '../model/config/tensor-shapes.js';
import { type AdamWSettings, emitAdamW } from './adam-w.js';
import { emitLogProbabilities, type WeightOf } from './decoder-graph.js';
import { emitPolicyLoss } from './policy-loss.js';
import { splitParameters } from './split-parameters.js';
import { trainedLayout, type TrainedPart } from './trained-parameters.js';

/**
 * How far a graph goes: `score` gives log-probabilities, `accumulate` adds a part of a row's gradient
 * to what came before, `update` does so for the last part and takes the optimiser's step.
 */
export type TrainStage = 'score' | 'accumulate' | 'update';

export interface TrainGraphSettings {
  readonly config: LlamaConfig;
  readonly part: TrainedPart;
  readonly loss: LossSettings;
  readonly optimiser: AdamWSettings;
}

/** The encoded graph of one stage: forward, and as far as the stage goes backward and update, in one run. */
export function buildTrainGraph(settings: TrainGraphSettings, stage: TrainStage): Uint8Array {
  const { config, part } = settings;
  const graph = new Graph();
  const layout = trainedLayout(config, part);
  const flat = graph.input('parameters', 'float32', [layout.size]);
  const trained = splitParameters(graph, layout, flat);
  const ids = graph.input('ids', 'int64', ['batch', 'length']);
  const wanted = graph.input('wanted', 'int64', ['predictions']);
  const distribution = emitLogProbabilities(graph, config, part, weightsOf(graph, config, trained), ids, wanted);
  const lp = ops.pickPerRow(graph, distribution, graph.input('targets', 'int64', ['predictions']));
  graph.output('lp', lp);
  graph.output('entropy', emitEntropy(graph, distribution));
  if (stage === 'score') graph.output('best', ops.largest(graph, distribution));
  else emitBackward(graph, settings, stage, lp, flat, [...trained.values()]);
  return encodeGraph(graph);
}

function emitBackward(
  graph: Graph,
  { loss, optimiser }: TrainGraphSettings,
  stage: TrainStage,
  lp: Value,
  parameters: Value,
  trained: readonly Value[],
): void {
  const total = emitLoss(graph, loss, lp);
  graph.output('loss', total);
  const flat = gradients(graph, total, trained).map((gradient) => ops.reshape(graph, gradient, ['size']));
  const soFar = graph.input('gradientSoFar', 'float32', parameters.shape);
  const joined = { ...ops.concat(graph, flat, 0), shape: parameters.shape };
  const gradient = ops.add(graph, soFar, joined);
  if (stage === 'accumulate') {
    graph.output('gradient', gradient);
    return;
  }
  const moment = (name: string) => graph.input(name, 'float32', parameters.shape);
  const [firstMoment, secondMoment] = [moment('firstMoment'), moment('secondMoment')];
  emitAdamW(graph, optimiser, { parameters, firstMoment, secondMoment, gradient });
}

/** A frozen weight is an input of its own name; a trained one is its part of the flat vector. */
function weightsOf(graph: Graph, config: LlamaConfig, trained: ReadonlyMap<string, Value>): WeightOf {
  const shapes = tensorShapes(config);
  return (name) => trained.get(name) ?? graph.once(name, () => graph.input(name, 'float32', shapes.get(name) ?? []));
}

/** `-sum p log p` of each prediction. */
export function emitEntropy(graph: Graph, logProbabilities: Value): Value {
  const product = ops.multiply(graph, ops.probabilities(graph, logProbabilities), logProbabilities);
  return ops.negate(graph, ops.sum(graph, product, [1]));
}

/** The loss of a pass from the log-probabilities of its trained tokens; what it needs besides becomes inputs. */
export function emitLoss(graph: Graph, loss: LossSettings, lp: Value): Value {
  const perToken = (name: string) => graph.input(name, 'float32', ['predictions']);
  const weight = perToken('weight');
  if (loss.kind === 'sft') return ops.negate(graph, ops.sum(graph, ops.multiply(graph, lp, weight), [0]));
  return emitPolicyLoss(graph, loss, lp, { weight, old: perToken('old'), advantage: perToken('advantage') });
}
