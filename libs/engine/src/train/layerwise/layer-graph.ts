import { gradients } from '../../autodiff/index.js';
import * as ops from '../../graph/index.js';
import { encodeGraph, Graph, type Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { tensorShapes } from '../../model/config/tensor-shapes.js';
import { emitLayer, LAYER_PRODUCTS, openPass } from '../decoder-graph.js';
import { splitParameters } from '../split-parameters.js';
import { type ProjectionName, projectionPath, trainedLayout, type TrainedPart } from '../trained-parameters.js';

/**
 * What a graph of one layer does. `forward`: the layer's result. `save`: also its products, which `backward` takes
 * instead of computing them again. `recompute`: the backward pass from the layer's input alone.
 */
export type LayerStage = 'forward' | 'save' | 'recompute' | 'backward';

/** Name under which a product of a layer leaves the forward graph and enters the backward graph. */
export const savedName = (product: string) => `saved.${product}`;

/**
 * A model of one layer: every layer runs in the same graph, under the names of the first. Which tokens a layer sees, and
 * how it is rotated, is fed.
 */
export const firstLayerOf = ({ attention: _, ...config }: LlamaConfig): LlamaConfig => ({ ...config, numLayers: 1 });

/** Trained parameters of a layer: those of all layers lie one after the other in the flat vector. */
export const layerSizeOf = (config: LlamaConfig, part: TrainedPart): number =>
  trainedLayout(firstLayerOf(config), part).size;

/**
 * The graph of one layer with its weights as inputs: frozen ones under the names of layer 0, the trained part of this
 * layer as the vector `parameters`, and `scales` if modules have scales of their own. `hidden` is
 * `[batch, length, hiddenSize]`. Backward stages take the gradient of the layer's result as `resultGradient`, and give
 * `hiddenGradient` and the vector `gradient`, in the order of `parameters`.
 */
export function buildLayerGraph(model: LlamaConfig, part: TrainedPart, stage: LayerStage): Uint8Array {
  const graph = new Graph();
  const config = firstLayerOf(model);
  const layout = trainedLayout(config, part);
  const trained = splitParameters(graph, layout, graph.input('parameters', 'float32', [layout.size]));
  const shapes = tensorShapes(config);
  const scaled = part.kind === 'lora' && part.lora.variant ? withScales(graph, part.lora.targets, trained) : trained;
  const weight = (name: string) =>
    scaled.get(name) ?? graph.once(name, () => graph.input(name, 'float32', shapes.get(name) ?? []));
  const products = new Map<string, Value>();
  const batched = graph.input('hidden', 'float32', ['batch', 'length', config.hiddenSize]);
  const hidden = ops.reshape(graph, batched, ['tokens', config.hiddenSize]);
  const pass = openPass(graph, config, part, weight, {
    adapted: ops.matMulBesideAdapter,
    ...(scaled !== trained && { scaleOf: () => 1 }),
    show: (product, value) => products.set(product, value),
  });
  const result = emitLayer(pass, 0, hidden);
  if (stage === 'forward' || stage === 'save') graph.output('result', result);
  else emitBackward(graph, hidden, result, [...trained.values()]);
  for (const product of LAYER_PRODUCTS) {
    const value = products.get(product) as Value;
    if (stage === 'save') graph.output(savedName(product), value);
    if (stage === 'backward') ops.feedInstead(graph, savedName(product), value);
  }
  ops.prune(graph);
  return encodeGraph(graph);
}

/** Every B times its scale, which may differ from layer to layer and is fed: `scales`, in the order of the targets. */
function withScales(
  graph: Graph,
  targets: readonly ProjectionName[],
  trained: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const scales = graph.input('scales', 'float32', [targets.length]);
  const scaled = new Map(trained);
  for (const [at, target] of targets.entries()) {
    const name = `${projectionPath(0, target)}.lora_B.weight`;
    scaled.set(name, ops.multiply(graph, trained.get(name) as Value, ops.slice(graph, scales, 0, at, at + 1)));
  }
  return scaled;
}

function emitBackward(graph: Graph, hidden: Value, result: Value, trained: readonly Value[]): void {
  const seed = graph.input('resultGradient', 'float32', result.shape);
  const [ofHidden, ...ofTrained] = gradients(graph, result, [hidden, ...trained], seed) as [Value, ...Value[]];
  graph.output('hiddenGradient', ofHidden);
  const flat = ofTrained.map((gradient) => ops.reshape(graph, gradient, ['size']));
  graph.output('gradient', ops.concat(graph, flat, 0));
}
