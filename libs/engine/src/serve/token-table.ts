import type { DecodingTokenizer } from '../decode/batch/served-model.js';
import type { Vocabulary } from '../model/index.js';
import { type DecodeOptions, IncrementalText, type TokenSource } from '../model/tokenizer/incremental-text.js';

/** A vocabulary for decoding, in three buffers that can be transferred to another thread. */
export interface TokenTableData {
  /** Bytes of all tokens, concatenated. */
  readonly bytes: Uint8Array;
  /** Per id: where its bytes end. */
  readonly ends: Uint32Array;
  /** Per id: {@link SPECIAL}, {@link ADDED}, both or neither. */
  readonly flags: Uint8Array;
  readonly dropsFirstBlank: boolean;
}

const SPECIAL = 1;
const ADDED = 2;
const NO_BYTES = new Uint8Array(0);

/** A tokenizer itself is 60 MiB of objects with 49,152 tokens: where only ids become text, this is enough. */
export function toTokenTable(vocabulary: Vocabulary): TokenTableData {
  const ids = Array.from({ length: vocabulary.vocabSize }, (_, id) => id);
  const ends = new Uint32Array(ids.length);
  let length = 0;
  for (const id of ids) ends[id] = length += vocabulary.tokenBytes(id).length;
  const bytes = new Uint8Array(length);
  for (const id of ids) bytes.set(vocabulary.tokenBytes(id), id === 0 ? 0 : ends[id - 1]);
  const flags = Uint8Array.from(
    ids,
    (id) => (vocabulary.isSpecial(id) ? SPECIAL : 0) | (vocabulary.isAdded(id) ? ADDED : 0),
  );
  return { bytes, ends, flags, dropsFirstBlank: vocabulary.dropsFirstBlank };
}

/** Tokens over the ids of the model's matrices, of which there may be more than the tokenizer has tokens. */
export class TokenTable implements DecodingTokenizer, TokenSource {
  constructor(
    private readonly data: TokenTableData,
    readonly vocabSize: number,
  ) {}

  get dropsFirstBlank(): boolean {
    return this.data.dropsFirstBlank;
  }

  tokenBytes(id: number): Uint8Array {
    const { bytes, ends } = this.data;
    const end = ends[id];
    return end === undefined ? NO_BYTES : bytes.subarray(id === 0 ? 0 : ends[id - 1], end);
  }

  isSpecial(id: number): boolean {
    return this.has(id, SPECIAL);
  }

  isAdded(id: number): boolean {
    return this.has(id, ADDED);
  }

  incrementalText(options: DecodeOptions): IncrementalText {
    return new IncrementalText(this, options);
  }

  private has(id: number, flag: number): boolean {
    return ((this.data.flags[id] ?? 0) & flag) !== 0;
  }
}
