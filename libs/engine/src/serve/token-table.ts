import type { DecodingTokenizer } from '../decode/batch/served-model.js';
import type { IncrementalText, DecodeOptions } from '../model/incremental-text.js';
import type { ModelTokenizer } from '../model/index.js';

/** A tokenizer over the ids of the model's matrices, of which there may be more than the tokenizer has tokens. */
export class TokenTable implements DecodingTokenizer {
  constructor(
    private readonly tokenizer: ModelTokenizer,
    readonly vocabSize: number,
  ) {}

  tokenBytes(id: number): Uint8Array {
    return this.tokenizer.tokenBytes(id);
  }

  isSpecial(id: number): boolean {
    return this.tokenizer.isSpecial(id);
  }

  incrementalText(options: DecodeOptions): IncrementalText {
    return this.tokenizer.incrementalText(options);
  }
}
