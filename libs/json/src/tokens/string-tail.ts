import { BACKSLASH, QUOTE } from './characters.js';

/** How a source is read: a text in UTF-16 code units, or bytes of UTF-8. */
interface Reader<Source> {
  codeAt(source: Source, at: number): number | undefined;
  quoteFrom(source: Source, from: number): number;
}

const TEXT: Reader<string> = {
  codeAt: (text, at) => text.charCodeAt(at),
  quoteFrom: (text, from) => text.indexOf('"', from),
};

const BYTES: Reader<Uint8Array> = {
  codeAt: (bytes, at) => bytes[at],
  quoteFrom: (bytes, from) => bytes.indexOf(QUOTE, from),
};

/** Skips strings of JSON that arrives in pieces: a string, even an escape, may begin in one piece and end in another. */
export class StringTail<Source extends string | Uint8Array> {
  /** A string has begun and has not ended. */
  isInside = false;
  /** A backslash escapes the next character. */
  private isEscaped = false;

  private constructor(private readonly reader: Reader<Source>) {}

  static ofText = (): StringTail<string> => new StringTail(TEXT);
  static ofBytes = (): StringTail<Uint8Array> => new StringTail(BYTES);

  /**
   * @param piece in which the string begins or goes on
   * @param start offset of the first character that has not been skipped
   * @returns offset after the string's last quote, or the end of the piece, in which the string does not end
   */
  skip(piece: Source, start: number): number {
    const { reader } = this;
    let from = this.isEscaped ? start + 1 : start;
    this.isEscaped = false;
    for (;;) {
      const quote = reader.quoteFrom(piece, from);
      const end = quote < 0 ? piece.length : quote;
      let backslash = end;
      while (backslash > from && reader.codeAt(piece, backslash - 1) === BACKSLASH) backslash--;
      const isEscaped = (end - backslash) % 2 === 1;
      if (quote < 0) {
        this.isEscaped = isEscaped;
        return end;
      }
      from = quote + 1;
      if (isEscaped) continue;
      this.isInside = false;
      return from;
    }
  }
}
