import type { CacheRows } from './cache/cache-rows.js';
import type { KeyValues } from './cache/key-values.js';
import type { DecoderTensors } from './graph/decoder-tensors.js';
import type { LlamaDecoder } from './llama-decoder.js';
import type { ModelRunner } from './model-runner.js';

/** A checkpoint whose weights are all fed to the graphs: rows of another one need a step of their own. */
export class LlamaRunner implements ModelRunner {
  readonly group = this;
  /** See the step graph. */
  readonly minRows = 2;

  constructor(
    private readonly decoder: LlamaDecoder,
    readonly tensors: DecoderTensors,
  ) {}

  readPrompt(past: readonly KeyValues[], ids: readonly number[], wanted: readonly number[]) {
    return this.decoder.readPrompt(this.tensors, past, ids, wanted);
  }

  step(_runners: readonly ModelRunner[], cache: CacheRows, ids: readonly number[], positions: readonly number[]) {
    return this.decoder.step(this.tensors, cache, ids, positions);
  }
}
