import { join } from 'node:path';

import { type DecodeOptions, IncrementalText, type TokenSource } from './incremental-text.js';
import { bytesOfEntry, type TokenBytesRule, tokenBytesRule } from './token-bytes.js';
import { readTokenizerFile, type TokenizerFile } from './tokenizer-file.js';

const NO_BYTES = new Uint8Array(0);

/** The tokens of a model with the exact bytes of each: what turns ids into text, but no text into ids. */
export class Vocabulary implements TokenSource {
  private readonly entries: string[] = [];
  private readonly ids = new Map<string, number>();
  private readonly added: ReadonlySet<number>;
  private readonly special: ReadonlySet<number>;
  private readonly rule: TokenBytesRule;
  private readonly bytes: (Uint8Array | undefined)[] = [];

  protected constructor(protected readonly file: TokenizerFile) {
    this.rule = tokenBytesRule(file.path, file.json.decoder);
    for (const [entry, id] of Object.entries(file.vocabulary)) this.setEntry(entry, id);
    for (const { content, id } of file.addedTokens) this.setEntry(content, id);
    this.added = new Set(file.addedTokens.map(({ id }) => id));
    this.special = new Set(file.addedTokens.filter(({ special }) => special).map(({ id }) => id));
  }

  /**
   * Reads `tokenizer.json` of a model folder.
   *
   * @throws BaseModelDamagedError it is missing or not a tokenizer
   * @throws TokenizerUnsupportedError it is not a byte-pair encoding over bytes
   */
  static async read(directory: string): Promise<Vocabulary> {
    return new Vocabulary(await readTokenizerFile(join(directory, 'tokenizer.json')));
  }

  /** Number of token ids, with gaps: one more than the largest id. A model's matrices may have more rows. */
  get vocabSize(): number {
    return this.entries.length;
  }

  /** Tokens are made of GPT-2's byte characters; else of SentencePiece's. */
  get isByteLevel(): boolean {
    return this.rule.kind === 'byte-level';
  }

  get dropsFirstBlank(): boolean {
    return this.rule.dropsFirstBlank;
  }

  /**
   * Text of token ids. Bytes that are no UTF-8 become U+FFFD. Blanks before punctuation stay as they are,
   * whatever `clean_up_tokenization_spaces` says: a stream could not take them back.
   */
  decode(ids: Iterable<number>, options?: DecodeOptions): string {
    const text = this.incrementalText(options);
    let decoded = '';
    for (const id of ids) decoded += text.push(id);
    return decoded + text.end();
  }

  incrementalText(options?: DecodeOptions): IncrementalText {
    return new IncrementalText(this, options);
  }

  /** Text of one token by itself: U+FFFD where it holds only a part of a character. */
  tokenText(id: number): string {
    return Buffer.from(this.tokenBytes(id)).toString('utf8');
  }

  /** Exact bytes that a token adds to the text; none for an id that names no token. Do not change them. */
  tokenBytes(id: number): Uint8Array {
    return (this.bytes[id] ??= this.toBytes(id));
  }

  /** A token as the vocabulary writes it, or null: not every id up to the largest needs to be one. */
  entry(id: number): string | null {
    return this.entries[id] ?? null;
  }

  /** Id of a token as the vocabulary writes it, or null. */
  idOf(entry: string): number | null {
    return this.ids.get(entry) ?? null;
  }

  isSpecial(id: number): boolean {
    return this.special.has(id);
  }

  isAdded(id: number): boolean {
    return this.added.has(id);
  }

  private setEntry(entry: string, id: number): void {
    this.entries[id] = entry;
    this.ids.set(entry, id);
  }

  private toBytes(id: number): Uint8Array {
    const entry = this.entries[id];
    if (entry === undefined) return NO_BYTES;
    return this.added.has(id) ? Buffer.from(entry, 'utf8') : bytesOfEntry(entry, this.rule);
  }
}
