import { type CheckpointParts, type TrainedWeights } from '../checkpoints/index.js';
import type { LlamaConfig } from '../model/llama-config.js';
import type { Weights } from '../tensor.js';
import { freshState, type TrainState } from '../train/trainer.js';
import { PROJECTIONS, type TrainedPart, trainedLayout } from '../train/trained-parameters.js';
import { startLora } from './lora-start.js';
import type { TrainingSpec } from './training-spec.js';

/** The trained parameters and their initial values. */
export interface RunStart {
  readonly part: TrainedPart;
  readonly state: TrainState;
}

/** Content of a checkpoint's `state.json`, in addition to the step numbers. */
interface SavedConfig {
  readonly kind: TrainingSpec['kind'];
}

/** A run without a parent: fresh adapters, or the base's own weights. */
export function startFromBase(spec: TrainingSpec, config: LlamaConfig, weights: Weights): RunStart {
  if (spec.lora === null) {
    const part = { kind: 'full' } as const;
    return { part, state: freshState(trainedLayout(config, part).flatten(weights)) };
  }
  const { r: rank, alpha, target_modules } = spec.lora;
  const targets = PROJECTIONS.filter((projection) => target_modules.includes(projection));
  const part = { kind: 'lora', lora: { rank, alpha, targets } } as const;
  return { part, state: freshState(startLora(trainedLayout(config, part), spec.seed)) };
}

/**
 * A run that continues from a checkpoint, whose kind decides which parameters are trained. Optimiser moments continue
 * too, unless they come from the other kind of job: moments of one loss do not fit another.
 */
export function startFromCheckpoint(spec: TrainingSpec, config: LlamaConfig, checkpoint: CheckpointParts): RunStart {
  const { trained, optimizer, state } = checkpoint;
  const part = partOf(trained);
  const layout = trainedLayout(config, part);
  const parameters = layout.flatten(tensorsOf(trained));
  if (optimizer === null || (state.config as SavedConfig | null)?.kind !== spec.kind) {
    return { part, state: freshState(parameters) };
  }
  const [firstMoment, secondMoment] = [layout.flatten(optimizer.m), layout.flatten(optimizer.v)];
  return { part, state: { parameters, firstMoment, secondMoment, updates: state.optimizerSteps } };
}

/** The state after gradient step `k` of the job as a checkpoint. */
export function toCheckpoint(spec: TrainingSpec, config: LlamaConfig, start: RunStart, k: number): CheckpointParts {
  const { part, state } = start;
  const layout = trainedLayout(config, part);
  const tensors = layout.unflatten(state.parameters);
  const saved: SavedConfig = { kind: spec.kind };
  return {
    trained:
      part.kind === 'full'
        ? { kind: 'full', weights: tensors }
        : { kind: 'lora', adapter: { baseModel: spec.base_model, ...part.lora, tensors } },
    optimizer: { m: layout.unflatten(state.firstMoment), v: layout.unflatten(state.secondMoment) },
    // The only random numbers of a run are those of fresh adapters, which the seed alone decides.
    state: { step: k, optimizerSteps: state.updates, rng: { seed: spec.seed }, config: saved },
  };
}

function partOf(trained: TrainedWeights): TrainedPart {
  if (trained.kind === 'full') return { kind: 'full' };
  const { rank, alpha, targets } = trained.adapter;
  return { kind: 'lora', lora: { rank, alpha, targets } };
}

const tensorsOf = (trained: TrainedWeights): Weights =>
  trained.kind === 'full' ? trained.weights : trained.adapter.tensors;
