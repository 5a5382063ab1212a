import { adaptedModules, cutToRank, type LoraAdapter } from '../checkpoints/index.js';
import { type AdaptedModule, inOrder, matrixOf } from '../checkpoints/lora-adapter.js';
import { areFinite } from '../finite.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import type { FloatTensor, Weights } from '../tensor.js';
import { moduleScaleOf } from '../train/lora-variant.js';
import { trainedLayout } from '../train/trained-parameters.js';
import { LoraMismatchError } from './job.errors.js';
import { askedOptions, type LoraOptions, type LoraPart, loraPart, NO_VARIANT } from './lora-part.js';
import { startLora } from './lora-start.js';
import type { TrainingSpec } from './training-spec.js';

/** An adapter as a run trains it. */
export interface AdaptedLora {
  readonly part: LoraPart;
  readonly tensors: Weights;
  /** Whether a module has another rank or scale than before, or there are others. */
  readonly isChanged: boolean;
}

/**
 * The parent's adapter with the rank, alpha and targets that the job asks for, and the same effect: what it adds to the
 * model is unchanged. Rows that a larger rank adds, and new targets, begin as those of a new adapter do: A random, B 0.
 * Where a module's scale becomes another the parent's B is scaled, in float32: exactly when the ratio is a power of two.
 *
 * @param asked null: the parent's settings
 * @throws LoraMismatchError a smaller rank, or fewer targets: part of the parent's weights would be lost; or a scale so
 *   small that the parent's B becomes infinite
 */
export function adaptLora(
  adapter: LoraAdapter,
  asked: TrainingSpec['lora_asked'],
  config: LlamaConfig,
  seed: number,
): AdaptedLora {
  const part = loraPart(config, askedOptions(optionsOf(adapter), asked, config));
  const isChanged = !isSame(adapter, part.lora, config);
  if (!isChanged) return { part, tensors: adapter.tensors, isChanged };
  assertNothingLost(adapter, part);
  const layout = trainedLayout(config, part);
  const tensors = layout.unflatten(startLora(layout, seed, part.lora));
  for (const [name, tensor] of cutToRank(adapter)) {
    const { path, isA } = matrixOf(name);
    const [before, after] = [adapter, part.lora].map((one) => moduleScaleOf(one, path).scale) as [number, number];
    const target = tensors.get(name) as FloatTensor;
    copyInto(target, tensor, isA ? 1 : before / after);
    if (!areFinite(target.data)) throw new LoraMismatchError(`scale ${before}`, `scale ${after}, which is too small`);
  }
  return { part, tensors, isChanged };
}

/** Whether two adapters have the same modules, each with the same rank and scale, by whichever options. */
function isSame(before: LoraPart['lora'], after: LoraPart['lora'], config: LlamaConfig): boolean {
  const [modules, others] = [before, after].map(({ targets }) => adaptedModules(config, targets)) as [
    AdaptedModule[],
    AdaptedModule[],
  ];
  return (
    modules.length === others.length &&
    modules.every(({ path }, at) => {
      if (others[at]?.path !== path) return false;
      const [own, other] = [moduleScaleOf(before, path), moduleScaleOf(after, path)];
      return own.rank === other.rank && own.scale === other.scale;
    })
  );
}

function optionsOf({ rank, alpha, targets, variant }: Omit<LoraAdapter, 'tensors'>): LoraOptions {
  const { useRslora, rankPattern, alphaPattern } = variant ?? NO_VARIANT;
  return { rank, alpha, targets: inOrder(targets), useRslora, rankPattern, alphaPattern };
}

function assertNothingLost(adapter: LoraAdapter, { lora }: LoraPart): void {
  const lost = adapter.targets.filter((target) => !lora.targets.includes(target));
  if (lost.length > 0) {
    throw new LoraMismatchError(`weights for ${lost.join(', ')}`, `targets ${lora.targets.join(', ')}`);
  }
  for (const name of adapter.tensors.keys()) {
    const { path } = matrixOf(name);
    const [before, after] = [adapter, lora].map((one) => moduleScaleOf(one, path).rank) as [number, number];
    if (after < before) throw new LoraMismatchError(`rank ${before}`, `rank ${after}`);
  }
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
