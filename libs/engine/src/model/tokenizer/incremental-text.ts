import { TextDecoder } from 'node:util';

/** A token, as far as the text needs it. */
export interface TokenSource {
  tokenBytes(id: number): Uint8Array;
  isSpecial(id: number): boolean;
  isAdded(id: number): boolean;
  /** The first blank of a text is the tokenizer's own and not part of it. */
  readonly dropsFirstBlank: boolean;
}

export interface DecodeOptions {
  /** Control tokens give no text. Default true. */
  readonly skipSpecialTokens?: boolean;
  /** A blank between control tokens that follow each other, where they give text. Default true. */
  readonly spacesBetweenSpecialTokens?: boolean;
}

/**
 * Turns token ids into text as they come. A token may end within a character: its bytes are held back until
 * the character is whole, and become U+FFFD once they cannot be completed any more. The pieces joined are
 * what decoding all ids at once gives.
 */
export class IncrementalText {
  private utf8 = newDecoder();
  private readonly skipSpecialTokens: boolean;
  private readonly spaces: boolean;
  private isFirst = true;
  private afterSpecial = false;

  constructor(
    private readonly tokens: TokenSource,
    { skipSpecialTokens = true, spacesBetweenSpecialTokens = true }: DecodeOptions = {},
  ) {
    this.skipSpecialTokens = skipSpecialTokens;
    this.spaces = spacesBetweenSpecialTokens;
  }

  /** The text that is certain with this token; often empty in the middle of a character. */
  push(id: number): string {
    const special = this.tokens.isSpecial(id);
    if (special && this.skipSpecialTokens) return '';
    // An added token is a text of its own: it cannot complete a character that was begun before it.
    const before = this.tokens.isAdded(id) ? this.end() : '';
    const blank = special && this.afterSpecial && this.spaces ? ' ' : '';
    this.afterSpecial = special;
    return before + blank + this.utf8.decode(this.withoutFirstBlank(this.tokens.tokenBytes(id)), { stream: true });
  }

  /** What was held back, when no more tokens come. */
  end(): string {
    const rest = this.utf8.decode();
    this.utf8 = newDecoder();
    return rest;
  }

  private withoutFirstBlank(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return bytes;
    const drops = this.isFirst && this.tokens.dropsFirstBlank && bytes[0] === 0x20;
    this.isFirst = false;
    return drops ? bytes.subarray(1) : bytes;
  }
}

/** A byte order mark is text like any other. */
function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
