import type { LoraAdapter } from '../checkpoints/index.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import type { FloatTensor, Weights } from '../tensor.js';
import { PROJECTIONS, trainedLayout, type TrainedPart } from '../train/trained-parameters.js';
import { LoraMismatchError } from './job.errors.js';
import { startLora } from './lora-start.js';
import type { TrainingSpec } from './training-spec.js';

type LoraPart = Extract<TrainedPart, { kind: 'lora' }>;

/** An adapter as a run trains it. */
export interface AdaptedLora {
  readonly part: LoraPart;
  readonly tensors: Weights;
  /** Whether it has another rank, alpha or other targets than before. */
  readonly isChanged: boolean;
}

/**
 * The parent's adapter with the rank, alpha and targets that the job asks for, and the same effect: what it adds to the
 * model is unchanged. Rows that a larger rank adds, and new targets, begin as those of a new adapter do: A random, B 0.
 * With another `alpha / rank` the parent's B is scaled, in float32: exactly when the ratio is a power of two.
 *
 * @param asked null: the parent's settings
 * @throws LoraMismatchError a smaller rank, or fewer targets: part of the parent's weights would be lost
 */
export function adaptLora(
  adapter: LoraAdapter,
  asked: TrainingSpec['lora_asked'],
  config: LlamaConfig,
  seed: number,
): AdaptedLora {
  const rank = asked?.r ?? adapter.rank;
  const alpha = asked?.alpha ?? adapter.alpha;
  const names = asked?.target_modules ?? adapter.targets;
  const targets = PROJECTIONS.filter((projection) => names.includes(projection));
  const isChanged = rank !== adapter.rank || alpha !== adapter.alpha || targets.join() !== [...adapter.targets].join();
  const part: LoraPart = { kind: 'lora', lora: { rank, alpha, targets } };
  if (!isChanged) return { part, tensors: adapter.tensors, isChanged };
  if (rank < adapter.rank) throw new LoraMismatchError(`rank ${adapter.rank}`, `rank ${rank}`);
  const lost = adapter.targets.filter((target) => !targets.includes(target));
  if (lost.length > 0) throw new LoraMismatchError(`weights for ${lost.join(', ')}`, `targets ${targets.join(', ')}`);
  const layout = trainedLayout(config, part);
  const scale = adapter.alpha / adapter.rank / (alpha / rank);
  const tensors = layout.unflatten(startLora(layout, seed));
  for (const [name, tensor] of tensors) {
    const before = adapter.tensors.get(name);
    if (before !== undefined) copyInto(tensor, before, name.endsWith('lora_B.weight') ? scale : 1);
  }
  return { part, tensors, isChanged };
}

/** Writes a matrix, scaled, into the upper left of one that is at least as large. */
function copyInto(target: FloatTensor, { shape, data }: FloatTensor, scale: number): void {
  const [rows, columns] = shape as readonly [number, number];
  const width = target.shape[1] as number;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      target.data[row * width + column] = (data[row * columns + column] as number) * scale;
    }
  }
}
