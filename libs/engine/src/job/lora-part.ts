import { adaptedModules, ADAPTER_CONFIG_FILE, loraVariantOf } from '../checkpoints/index.js';
import { inOrder } from '../checkpoints/lora-adapter.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import type { LoraScaling, LoraVariantOptions } from '../train/lora-variant.js';
import type { TrainedPart } from '../train/trained-parameters.js';
import { askedPattern } from './asked-pattern.js';
import type { TrainingSpec } from './training-spec.js';

export type LoraPart = Extract<TrainedPart, { kind: 'lora' }>;

/** What is asked of an adapter. */
export interface LoraOptions extends Pick<LoraScaling, 'rank' | 'alpha'>, LoraVariantOptions {
  /** Names of projections. */
  readonly targets: readonly string[];
}

export const NO_VARIANT: LoraVariantOptions = { useRslora: false, rankPattern: {}, alphaPattern: {} };

/**
 * What a job asks of an adapter.
 *
 * @param own what holds where the job asks for nothing: the options of its parent, or the defaults
 * @throws LoraPatternError a pattern names a module that the adapter does not have
 */
export function askedOptions(own: LoraOptions, asked: TrainingSpec['lora_asked'], config: LlamaConfig): LoraOptions {
  const targets = inOrder(asked?.target_modules ?? own.targets);
  const modules = adaptedModules(config, targets);
  const { rank_pattern: ranks, alpha_pattern: alphas } = asked ?? {};
  return {
    rank: asked?.r ?? own.rank,
    alpha: asked?.alpha ?? own.alpha,
    targets,
    useRslora: asked?.use_rslora ?? own.useRslora,
    rankPattern: ranks ? askedPattern('rank_pattern', ranks, modules) : own.rankPattern,
    alphaPattern: alphas ? askedPattern('alpha_pattern', alphas, modules) : own.alphaPattern,
  };
}

/** The adapter as a run trains it. @throws AdapterUnsupportedError a pattern that is none, or takes too long */
export function loraPart(config: LlamaConfig, { rank, alpha, targets: names, ...options }: LoraOptions): LoraPart {
  const targets = inOrder(names);
  const modules = adaptedModules(config, targets);
  const variant = loraVariantOf(ADAPTER_CONFIG_FILE, { rank, alpha }, options, modules);
  return { kind: 'lora', lora: { rank, alpha, targets, ...(variant && { variant }) } };
}
