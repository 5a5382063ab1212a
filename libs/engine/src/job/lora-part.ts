import { adaptedModules, ADAPTER_CONFIG_FILE, loraVariantOf } from '../checkpoints/index.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import type { LoraScaling, LoraVariantOptions } from '../train/lora-variant.js';
import { type ProjectionName, PROJECTIONS, type TrainedPart } from '../train/trained-parameters.js';

export type LoraPart = Extract<TrainedPart, { kind: 'lora' }>;

/** What is asked of an adapter. */
export interface LoraOptions extends Pick<LoraScaling, 'rank' | 'alpha'>, LoraVariantOptions {
  /** Names of projections. */
  readonly targets: readonly string[];
}

export const NO_VARIANT: LoraVariantOptions = { useRslora: false, rankPattern: {}, alphaPattern: {} };

/** The adapter as a run trains it. @throws AdapterUnsupportedError a pattern that is none, or takes too long */
export function loraPart(config: LlamaConfig, { rank, alpha, targets: names, ...options }: LoraOptions): LoraPart {
  const targets: ProjectionName[] = PROJECTIONS.filter((projection) => names.includes(projection));
  const modules = adaptedModules(config, targets);
  const variant = loraVariantOf(ADAPTER_CONFIG_FILE, { rank, alpha }, options, modules);
  return { kind: 'lora', lora: { rank, alpha, targets, ...(variant && { variant }) } };
}
