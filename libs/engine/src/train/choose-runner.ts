import { totalmem } from 'node:os';

import { bytesOf, isBlockMatrix, type StoredTensor, type StoredWeights } from '../blocks/index.js';
import { countParameters } from '../model/config/tensor-shapes.js';
import { firstLayerOf } from './layerwise/layer-graph.js';
import { planLayerwise } from './layerwise/layerwise-plan.js';
import { LayerwiseRunner } from './layerwise/layerwise-runner.js';
import type { StepRunner } from './step-runner.js';
import type { TrainGraphSettings } from './train-graph.js';
import { trainedLayout } from './trained-parameters.js';
import { WholeGraphRunner } from './whole-graph-runner.js';

/** Minimum memory for the passes of a job, in addition to its weights, if no limit is set. */
const MIN_ACTIVATION_BYTES = 232 * 2 ** 20;
/** Memory of the passes per byte of weights: the longer a pass, the smaller the share of reading matrices. */
const ACTIVATIONS_PER_WEIGHTS = 1.5;
/** Memory of Node.js, ONNX Runtime and its graphs, the rows of the job, and uncollected garbage. */
const PROCESS_BYTES = 150 * 2 ** 20;
/** Vectors of trained parameters: the initial ones, two states of three each, and the gradient. */
const TRAINED_VECTORS = 8;
/** Largest model for the whole graph, which holds merged copies of the matrices and all activations. */
const MAX_WHOLE_GRAPH_PARAMETERS = 20e6;

/** Chooses how to train a model: small float32 models in one graph, others layer by layer. */
export function chooseRunner(
  settings: TrainGraphSettings,
  weights: StoredWeights,
  threads: number,
  memoryBytes: number | null,
): StepRunner {
  const tensors = [...weights.values()];
  const isLarge = tensors.some(isBlockMatrix) || countParameters(settings.config) > MAX_WHOLE_GRAPH_PARAMETERS;
  if (settings.part.kind === 'full' || !isLarge) return new WholeGraphRunner(settings, weights, threads);
  const activationBytes =
    memoryBytes === null ? defaultActivationBytes(tensors) : memoryBytes - heldBytes(settings, tensors) - PROCESS_BYTES;
  return new LayerwiseRunner(settings, weights, threads, planLayerwise(settings.config, activationBytes));
}

/** Default memory of the passes: at most a quarter of the memory of the machine or container. */
const defaultActivationBytes = (weights: readonly StoredTensor[]) =>
  Math.min(Math.max(MIN_ACTIVATION_BYTES, ACTIVATIONS_PER_WEIGHTS * bytesOfAll(weights)), machineBytes() / 4);

const machineBytes = () => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** Memory of layer-by-layer training without its passes: weights, one layer of them in float32, and the state. */
function heldBytes({ config, part }: TrainGraphSettings, tensors: readonly StoredTensor[]): number {
  const layer = countParameters(firstLayerOf(config)) - countParameters({ ...config, numLayers: 0 });
  const trained = TRAINED_VECTORS * trainedLayout(config, part).size;
  return bytesOfAll(tensors) + (layer + trained) * Float32Array.BYTES_PER_ELEMENT;
}

const bytesOfAll = (tensors: readonly StoredTensor[]) =>
  tensors.reduce((sum, tensor) => sum + bytesOfStored(tensor), 0);

const bytesOfStored = (tensor: StoredTensor) => (isBlockMatrix(tensor) ? bytesOf(tensor) : tensor.data.byteLength);
