import { type LinesConfig, type LinesConfigInput, resolveLinesConfig } from './lines-config.js';

/** `config` of a fine-tuning job with every default filled in. Property names are the wire names. */
export interface SftConfig extends LinesConfig {
  /** Which assistant turns are trained. */
  assistant_turns: 'all' | 'last';
}

/** As a client sends it; null means absent. */
export interface SftConfigInput extends LinesConfigInput {
  readonly assistant_turns?: 'all' | 'last' | null;
}

const DEFAULTS = { batch_size: 2, n_epochs: 1, learning_rate: 5e-5 };

/** Fills in defaults. Values are legal: the training service has validated them. */
export function resolveSftConfig(input: SftConfigInput | null | undefined): SftConfig {
  return { ...resolveLinesConfig(input, DEFAULTS), assistant_turns: input?.assistant_turns ?? 'all' };
}
