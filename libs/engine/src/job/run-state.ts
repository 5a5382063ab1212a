import { type StoredWeights, toFloats } from '../blocks/index.js';
import { type CheckpointParts, type TrainedWeights } from '../checkpoints/index.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import type { Weights } from '../tensor.js';
import { trainedLayout, type TrainedPart } from '../train/trained-parameters.js';
import { freshState, type TrainState } from '../train/trainer.js';
import { type AdaptedLora, adaptLora } from './adapt-lora.js';
import { EarlyStopping } from './early-stopping.js';
import { BaseChangedError, LoraMismatchError } from './job.errors.js';
import { askedOptions, loraPart, NO_VARIANT } from './lora-part.js';
import { startLora } from './lora-start.js';
import type { StoppingProgress } from './stopping-rule.js';
import { hasSameLoss, lossOf, type TrainedLoss } from './trained-loss.js';
import type { TrainingSpec } from './training-spec.js';

/** The trained parameters and their initial values. */
export interface RunStart {
  readonly part: TrainedPart;
  readonly state: TrainState;
}

/** Content of a checkpoint's `state.json`, in addition to the step numbers. */
interface SavedConfig extends TrainedLoss {
  /** Digest of the base model that was trained. Absent: of checkpoints from before it was recorded, and of imports. */
  readonly base_sha256?: string;
  /** Of a resume point of a job with early stopping. */
  readonly early_stopping?: StoppingProgress & { readonly best_updates: number };
}

/** A run without a parent: fresh adapters, or the base's own weights. */
export function startFromBase(spec: TrainingSpec, config: LlamaConfig, weights: StoredWeights): RunStart {
  if (spec.lora === null) {
    const part = { kind: 'full' } as const;
    const floats = new Map(Array.from(weights, ([name, tensor]) => [name, toFloats(tensor)]));
    return { part, state: freshState(trainedLayout(config, part).flatten(floats)) };
  }
  const { r: rank, alpha, target_modules: targets } = spec.lora;
  const part = loraPart(config, askedOptions({ rank, alpha, targets, ...NO_VARIANT }, spec.lora, config));
  return { part, state: freshState(startLora(trainedLayout(config, part), spec.seed, part.lora)) };
}

/**
 * A run that continues from a checkpoint, whose kind decides which parameters are trained. Optimiser moments continue
 * too, unless they come from another kind of job or another method, or the adapter becomes another: moments of one loss, or of other
 * parameters, do not fit.
 *
 * @param asked what the adapter is to become; null: it stays as it is
 * @throws LoraMismatchError
 */
export function startFromCheckpoint(
  spec: TrainingSpec,
  config: LlamaConfig,
  { trained, optimizer, state }: CheckpointParts,
  asked: TrainingSpec['lora_asked'],
): RunStart {
  const { part, tensors, isChanged } = adapt(trained, asked, config, spec.seed);
  const layout = trainedLayout(config, part);
  const parameters = layout.flatten(tensors);
  if (isChanged || optimizer === null || !hasSameLoss(state.config as SavedConfig | null, spec)) {
    return { part, state: freshState(parameters) };
  }
  const [firstMoment, secondMoment] = [layout.flatten(optimizer.m), layout.flatten(optimizer.v)];
  return { part, state: { parameters, firstMoment, secondMoment, updates: state.optimizerSteps } };
}

/** A checkpoint that says which weights of the base it belongs to. */
export function withBase(parts: CheckpointParts, baseSha256: string): CheckpointParts {
  const config: SavedConfig = { ...(parts.state.config as SavedConfig), base_sha256: baseSha256 };
  return { ...parts, state: { ...parts.state, config } };
}

/** @throws BaseChangedError it is an adapter of other weights */
export function assertBase({ trained, state }: CheckpointParts, baseSha256: string, baseModel: string): void {
  const trainedOn = (state.config as SavedConfig | null)?.base_sha256 ?? baseSha256;
  if (trained.kind === 'lora' && trainedOn !== baseSha256) throw new BaseChangedError(baseModel);
}

/** Early stopping of a job that begins, or of one that goes on from a resume point. Null: it is not asked for. */
export function stoppingOf(
  spec: TrainingSpec,
  config: LlamaConfig,
  { part, state }: RunStart,
  resume: CheckpointParts | null,
): EarlyStopping | null {
  const settings = spec.validation?.early_stopping;
  if (!settings) return null;
  const saved = (resume?.state.config as SavedConfig | undefined)?.early_stopping;
  if (!saved) return new EarlyStopping(settings);
  const { best_updates: updates, ...progress } = saved;
  if (progress.best_loss === null) return new EarlyStopping(settings, progress);
  const kept = resume?.kept;
  if (!kept) return new EarlyStopping(settings, progress, state);
  const layout = trainedLayout(config, part);
  const [parameters, firstMoment, secondMoment] = [kept.p, kept.m, kept.v].map((tensors) =>
    layout.flatten(tensors),
  ) as [Float32Array, Float32Array, Float32Array];
  return new EarlyStopping(settings, progress, { parameters, firstMoment, secondMoment, updates });
}

/** A resume point after gradient step `k`: with what early stopping has to remember. */
export function toResumePoint(
  spec: TrainingSpec,
  config: LlamaConfig,
  now: RunStart,
  k: number,
  stopping: EarlyStopping | null,
): CheckpointParts {
  const parts = toCheckpoint(spec, config, now, k);
  if (stopping === null) return parts;
  const { progress, best } = stopping.toSave(now.state);
  const saved: SavedConfig = {
    ...lossOf(spec),
    early_stopping: { ...progress, best_updates: (best ?? now.state).updates },
  };
  const layout = trainedLayout(config, now.part);
  const kept = best && {
    p: layout.unflatten(best.parameters),
    m: layout.unflatten(best.firstMoment),
    v: layout.unflatten(best.secondMoment),
  };
  return { ...parts, state: { ...parts.state, config: saved }, ...(kept && { kept }) };
}

/** The state after gradient step `k` of the job as a checkpoint. */
export function toCheckpoint(spec: TrainingSpec, config: LlamaConfig, start: RunStart, k: number): CheckpointParts {
  const { part, state } = start;
  const layout = trainedLayout(config, part);
  const tensors = layout.unflatten(state.parameters);
  const saved: SavedConfig = lossOf(spec);
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

function adapt(
  trained: TrainedWeights,
  asked: TrainingSpec['lora_asked'],
  config: LlamaConfig,
  seed: number,
): AdaptedLora | { part: TrainedPart; tensors: Weights; isChanged: false } {
  if (trained.kind === 'lora') return adaptLora(trained.adapter, asked, config, seed);
  if (asked) throw new LoraMismatchError('all weights of the model', 'an adapter');
  return { part: { kind: 'full' }, tensors: trained.weights, isChanged: false };
}
