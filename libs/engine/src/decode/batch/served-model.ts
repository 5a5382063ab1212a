import type { LlamaConfig } from '../../model/config/llama-config.js';
import type { DecodeOptions, IncrementalText } from '../../model/tokenizer/incremental-text.js';
import type { PrefixCache } from '../cache/prefix-cache.js';
import type { ConstraintFactory } from '../constraints/constraint.js';
import type { ModelRunner } from '../model-runner.js';
import type { TokenTexts } from '../sampling/bad-words.js';
import type { SamplingBuffers } from '../sampling/token-sampler.js';

/** A tokenizer as decoding needs it. */
export interface DecodingTokenizer extends TokenTexts {
  incrementalText(options: DecodeOptions): IncrementalText;
}

/** State that all checkpoints of one base model share. */
export interface ServedBase {
  readonly config: LlamaConfig;
  /** Longest sequence, in tokens. */
  readonly contextLength: number;
  readonly tokenizer: DecodingTokenizer;
  readonly buffers: SamplingBuffers;
  readonly prefixCache: PrefixCache;
  readonly constraints: ConstraintFactory;
}

/** Weights that generate. */
export interface ServedModel {
  /** Id of the weights: the prefix cache shares prompts of equal weights only. */
  readonly id: string;
  readonly base: ServedBase;
  readonly runner: ModelRunner;
}
