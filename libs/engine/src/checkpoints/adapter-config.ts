import { isJsonObject } from '@hone/json';

import { type JsonFields, shownValue } from '../model/config/json-fields.js';
import type { LoraVariantOptions } from '../train/lora-variant.js';
import { type ProjectionName, PROJECTIONS } from '../train/trained-parameters.js';
import { AdapterTargets } from './adapter-targets.js';
import { AdapterDamagedError, AdapterUnsupportedError } from './checkpoint.errors.js';
import { inOrder, type LoraAdapter } from './lora-adapter.js';
import { readVariantOptions } from './lora-variant-of.js';

/** Content of `adapter_config.json`. */
export interface AdapterSettings {
  readonly baseModel: string;
  readonly rank: number;
  readonly alpha: number;
  /** Modules with another rank or scale. */
  readonly variant: LoraVariantOptions;
  readonly targets: AdapterTargets;
}

/** Options of PEFT that change what an adapter computes, and the only value of each that is the plain adapter. */
const PLAIN_VALUES: Readonly<Record<string, unknown>> = {
  peft_type: 'LORA',
  bias: 'none',
  use_dora: false,
  use_qalora: false,
  use_bdlora: false,
  lora_bias: false,
  fan_in_fan_out: false,
};
/** Options that are off while they are null or empty. */
const OFF_WHEN_EMPTY = [
  'modules_to_save',
  'layer_replication',
  'target_parameters',
  'trainable_token_indices',
  'alora_invocation_tokens',
  'arrow_config',
];
/** Ways to start an adapter that also change the base: without that other base, the adapter computes something else. */
const CHANGES_BASE = /^(pissa|olora|loftq|corda|lora_ga)/;
const MAX_SHOWN = 100;

/**
 * Reads a configuration in PEFT's layout (https://huggingface.co/docs/peft/developer_guides/checkpoint).
 * Options that do not change what a finished adapter computes, such as dropout, are ignored.
 *
 * @throws AdapterUnsupportedError names the option
 * @throws AdapterDamagedError rank or alpha is no number > 0
 */
export function readAdapterSettings(fields: JsonFields): AdapterSettings {
  const stabilised = fields.get('use_rslora') ?? false;
  if (typeof stabilised !== 'boolean') throw unsupported(fields, 'use_rslora', stabilised);
  for (const [name, plain] of Object.entries(PLAIN_VALUES)) {
    const value = fields.get(name) ?? plain;
    if (value !== plain) throw unsupported(fields, name, value);
  }
  for (const name of OFF_WHEN_EMPTY) {
    const value = fields.get(name) ?? [];
    const size = isJsonObject(value) || Array.isArray(value) ? Object.keys(value).length : 1;
    if (size > 0) throw unsupported(fields, name, value);
  }
  const start = fields.get('init_lora_weights');
  if (typeof start === 'string' && CHANGES_BASE.test(start)) throw unsupported(fields, 'init_lora_weights', start);
  const baseModel = fields.get('base_model_name_or_path');
  const rank = positive(fields, 'r', Number.isInteger);
  const alpha = positive(fields, 'lora_alpha', Number.isFinite);
  return {
    baseModel: typeof baseModel === 'string' ? baseModel : '',
    rank,
    alpha,
    variant: readVariantOptions(fields),
    targets: AdapterTargets.of(fields),
  };
}

/** The configuration that we write: PEFT's defaults, spelled out where readers look for them. */
export function toAdapterConfig(adapter: Omit<LoraAdapter, 'tensors'>): Record<string, unknown> {
  const { useRslora = false, rankPattern = {}, alphaPattern = {} } = adapter.variant ?? {};
  return {
    alpha_pattern: alphaPattern,
    base_model_name_or_path: adapter.baseModel,
    bias: 'none',
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
    layers_pattern: null,
    layers_to_transform: null,
    lora_alpha: adapter.alpha,
    lora_dropout: 0,
    modules_to_save: null,
    peft_type: 'LORA',
    r: adapter.rank,
    rank_pattern: rankPattern,
    revision: null,
    target_modules: inOrder(adapter.targets),
    task_type: 'CAUSAL_LM',
    use_dora: false,
    use_rslora: useRslora,
  };
}

export function isProjection(name: string): name is ProjectionName {
  return (PROJECTIONS as readonly string[]).includes(name);
}

function positive(fields: JsonFields, name: string, fits: (value: unknown) => boolean): number {
  const value = fields.get(name);
  if (fits(value) && Number(value) > 0) return Number(value);
  throw new AdapterDamagedError(fields.file, `${name} is ${shownValue(value, MAX_SHOWN)}, expected a number > 0`);
}

function unsupported(fields: JsonFields, name: string, value: unknown): AdapterUnsupportedError {
  return new AdapterUnsupportedError(fields.file, `${name} is ${shownValue(value, MAX_SHOWN)}, which is not supported`);
}
