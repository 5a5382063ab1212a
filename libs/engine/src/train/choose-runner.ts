import { totalmem } from 'node:os';

import { bytesOf, isBlockMatrix, type StoredTensor, type StoredWeights } from '../blocks/index.js';
import { countParameters } from '../model/tensor-shapes.js';
import { planLayerwise } from './layerwise/layerwise-plan.js';
import { LayerwiseRunner } from './layerwise/layerwise-runner.js';
import type { StepRunner } from './step-runner.js';
import type { TrainGraphSettings } from './train-graph.js';
import { WholeGraphRunner } from './whole-graph-runner.js';

/** What the passes of a job may take beside its weights where no memory is set; half of a small machine's memory. */
export const DEFAULT_ACTIVATION_BYTES = Math.min(208 * 2 ** 20, totalmem() / 2);
/** Of Node.js, the runtime's library and its graphs. */
const PROCESS_BYTES = 160 * 2 ** 20;
/** The whole graph holds merged copies and all activations: of larger models than this, more than a layer at a time. */
const MAX_WHOLE_GRAPH_PARAMETERS = 20e6;

/** The way to train that fits the model: small float32 models in one graph, others layer by layer. */
export function chooseRunner(
  settings: TrainGraphSettings,
  weights: StoredWeights,
  threads: number,
  memoryBytes: number | null,
): StepRunner {
  const tensors = [...weights.values()];
  const isLarge = tensors.some(isBlockMatrix) || countParameters(settings.config) > MAX_WHOLE_GRAPH_PARAMETERS;
  if (settings.part.kind === 'full' || !isLarge) return new WholeGraphRunner(settings, weights, threads);
  const weightBytes = tensors.reduce((sum, tensor) => sum + bytesOfStored(tensor), 0);
  const activationBytes = memoryBytes === null ? DEFAULT_ACTIVATION_BYTES : memoryBytes - weightBytes - PROCESS_BYTES;
  return new LayerwiseRunner(settings, weights, threads, planLayerwise(settings.config, activationBytes));
}

const bytesOfStored = (tensor: StoredTensor) => (isBlockMatrix(tensor) ? bytesOf(tensor) : tensor.data.byteLength);
