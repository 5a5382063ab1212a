import { IS_CLOSING, IS_COMMA, IS_OPENING, IS_QUOTE, KINDS, SPACE } from '../tokens/characters.js';
import { StringTail } from '../tokens/string-tail.js';

/** Arrays and objects of this many characters are remembered. */
export const LONG = 65_536;

/** An array or object that has not ended; kept for the next one at its level. */
interface Opened {
  at: number;
  /** Offsets of its members, of which `count` count. */
  readonly members: number[];
  count: number;
}

/**
 * Notes where the long arrays and objects of a JSON text end and where their members begin, in one walk while the text
 * arrives in pieces. From a bracket that closes nothing on, nothing is noted.
 */
export class TextOutline {
  /** Offset of a long array or object -> offset after it. */
  readonly ends = new Map<number, number>();
  /** Offset of a long array or object -> those of its members: of values, or of keys. */
  readonly members = new Map<number, readonly number[]>();
  /** Offset of the next piece. */
  private offset = 0;
  private readonly opened: Opened[] = [];
  private level = -1;
  /** A member begins with the next character that is no blank. */
  private awaitsMember = false;
  private readonly string = StringTail.ofText();
  private isBroken = false;

  push(piece: string): void {
    for (let at = 0; at < piece.length && !this.isBroken;) {
      if (this.string.isInside) at = this.string.skip(piece, at);
      else {
        const code = piece.charCodeAt(at);
        if (code > SPACE) this.take(KINDS[code] ?? 0, this.offset + at);
        at++;
      }
    }
    this.offset += piece.length;
  }

  /** A character that is no blank, and outside of strings. */
  private take(kind: number, at: number): void {
    if (kind === IS_CLOSING) return this.close(at + 1);
    if (this.awaitsMember) {
      const opened = this.opened[this.level] as Opened;
      opened.members[opened.count++] = at;
      this.awaitsMember = false;
    }
    if (kind === IS_QUOTE) this.string.isInside = true;
    else if (kind === IS_COMMA) this.awaitsMember = this.level >= 0;
    else if (kind === IS_OPENING) this.open(at);
  }

  private open(at: number): void {
    const opened = (this.opened[++this.level] ??= { at, members: [], count: 0 });
    opened.at = at;
    opened.count = 0;
    this.awaitsMember = true;
  }

  private close(end: number): void {
    const opened = this.opened[this.level];
    if (this.level < 0 || !opened) {
      this.isBroken = true;
      return;
    }
    this.level--;
    this.awaitsMember = false;
    if (end - opened.at <= LONG) return;
    this.ends.set(opened.at, end);
    this.members.set(opened.at, opened.members.slice(0, opened.count));
  }
}
