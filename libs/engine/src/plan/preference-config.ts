import type { PreferenceMethod } from '@hone/contracts';

import { type LinesConfig, type LinesConfigInput, resolveLinesConfig } from './lines-config.js';

/** Settings of a job that learns from preferences that its loss depends on, every default filled in. */
export interface PreferenceLossConfig {
  method: PreferenceMethod;
  beta: number;
  label_smoothing: number;
  lambda: number;
  /** From which weights the implicit rewards are measured: those that the job starts from, or the base's. */
  reference: 'parent' | 'base';
}

/** `config` of a job that learns from preferences with every default filled in. Property names are the wire names. */
export interface PreferenceConfig extends LinesConfig, PreferenceLossConfig {
  /** KTO: weight of each liked answer. Null: such that both kinds of answers weigh the same in all. */
  desirable_weight: number | null;
  /** KTO: weight of each disliked answer. Null: as `desirable_weight`. */
  undesirable_weight: number | null;
}

/** As a client sends it; null means absent. */
export type PreferenceConfigInput = LinesConfigInput & {
  readonly [Key in Exclude<keyof PreferenceConfig, keyof LinesConfig>]?: PreferenceConfig[Key] | null;
};

/** Pairs, which are fewer than single answers, are seen three times. */
const DEFAULTS = { batch_size: 8, learning_rate: 5e-6 };
const EPOCHS = { pairs: 3, answers: 1 };

/** Fills in defaults. Values are legal: the training service has validated them. */
export function resolvePreferenceConfig(input: PreferenceConfigInput | null | undefined): PreferenceConfig {
  return {
    ...resolveLinesConfig(input, { ...DEFAULTS, n_epochs: input?.method === 'kto' ? EPOCHS.answers : EPOCHS.pairs }),
    method: input?.method ?? 'dpo',
    beta: input?.beta ?? 0.1,
    label_smoothing: input?.label_smoothing ?? 0,
    lambda: input?.lambda ?? 0.1,
    reference: input?.reference ?? 'parent',
    desirable_weight: input?.desirable_weight ?? null,
    undesirable_weight: input?.undesirable_weight ?? null,
  };
}
