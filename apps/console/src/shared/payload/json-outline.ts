const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANK = 0x20;
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
 * Where the long arrays and objects of a JSON text end and their members begin, found in one walk while the text comes
 * in pieces. What is not JSON has no outline from there on.
 */
export class JsonOutline {
  /** Offset of a long array or object -> offset after it. */
  readonly ends = new Map<number, number>();
  /** Offset of a long array or object -> those of its members: of values, or of keys. */
  readonly members = new Map<number, readonly number[]>();
  /** Offset of the next piece. */
  #offset = 0;
  readonly #opened: Opened[] = [];
  #level = -1;
  /** Whether a member begins with the next character that is no blank. */
  #awaitsMember = false;
  #isInText = false;
  /** Whether the text's next character is escaped. */
  #isEscaped = false;
  #isBroken = false;

  push(piece: string): void {
    for (let at = 0; at < piece.length && !this.#isBroken;) {
      if (this.#isInText) at = this.#leaveText(piece, at);
      else {
        const code = piece.charCodeAt(at);
        if (code > BLANK) this.#take(code, this.#offset + at);
        at++;
      }
    }
    this.#offset += piece.length;
  }

  /** A character that is no blank, and outside of texts. */
  #take(code: number, at: number): void {
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) return this.#close(at + 1);
    if (this.#awaitsMember) {
      const opened = this.#opened[this.#level] as Opened;
      opened.members[opened.count++] = at;
      this.#awaitsMember = false;
    }
    if (code === QUOTE) this.#isInText = true;
    else if (code === COMMA) this.#awaitsMember = this.#level >= 0;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) this.#open(at);
  }

  #open(at: number): void {
    const opened = (this.#opened[++this.#level] ??= { at, members: [], count: 0 });
    opened.at = at;
    opened.count = 0;
    this.#awaitsMember = true;
  }

  #close(end: number): void {
    const opened = this.#opened[this.#level];
    if (this.#level < 0 || !opened) {
      this.#isBroken = true;
      return;
    }
    this.#level--;
    this.#awaitsMember = false;
    if (end - opened.at <= LONG) return;
    this.ends.set(opened.at, end);
    this.members.set(opened.at, opened.members.slice(0, opened.count));
  }

  /** @returns offset after the text, or that of the end of the piece, in which it does not end */
  #leaveText(piece: string, from: number): number {
    // The first character may be escaped by the last one of the piece before.
    const begin = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (let search = begin; ;) {
      const quote = piece.indexOf('"', search);
      const end = quote < 0 ? piece.length : quote;
      let escapes = 0;
      while (end - 1 - escapes >= begin && piece.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
      if (quote < 0) {
        this.#isEscaped = escapes % 2 === 1;
        return end;
      }
      search = quote + 1;
      if (escapes % 2 === 1) continue;
      this.#isInText = false;
      return search;
    }
  }
}
