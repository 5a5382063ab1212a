import { IS_BLANK, IS_CLOSING, IS_COMMA, IS_OPENING, IS_QUOTE } from '../tokens/characters.js';
import { StringTail } from '../tokens/string-tail.js';
import { kindAt } from '../tokens/text-tokens.js';

const AFTER_SCALAR = IS_BLANK | IS_COMMA | IS_CLOSING;

/** Finds the end of one value of valid JSON whose text arrives in pieces. */
export class ValueTail {
  private readonly string = StringTail.ofText();
  /** Objects and arrays of the value that have not ended. */
  private depth = 0;

  /**
   * @param piece begins with a character of the value: the first one, or the one after the previous piece
   * @returns offset after the value; -1: it may go on in the next piece
   */
  skip(piece: string): number {
    for (let at = 0; at < piece.length;) {
      if (this.string.isInside) {
        at = this.string.skip(piece, at);
        if (this.depth === 0 && !this.string.isInside) return at;
        continue;
      }
      const kind = kindAt(piece, at);
      if (this.depth === 0 && (kind & AFTER_SCALAR) !== 0) return at;
      at++;
      if (kind === IS_QUOTE) this.string.isInside = true;
      else if (kind === IS_OPENING) this.depth++;
      else if (kind === IS_CLOSING && --this.depth === 0) return at;
    }
    return -1;
  }
}
