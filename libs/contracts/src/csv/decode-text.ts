import { HoneError } from './hone-error.js';

/** How characters became bytes. UTF-16 needs no name: its byte order mark tells it. */
export type TextEncodingName = 'utf-8' | 'windows-1252';

/** The bytes are no text of the encoding that they were read as. */
export class TextEncodingError extends HoneError {
  override name = 'TextEncodingError';
  /** An encoding in which the bytes are text, though it may be another text than was written. Null: there is none. */
  readonly possible: TextEncodingName | null;

  constructor(message: string, possible: TextEncodingName | null) {
    super(message);
    this.possible = possible;
  }
}

/**
 * The characters of the bytes 0x80 to 0x9f, by the Encoding Standard (https://encoding.spec.whatwg.org/index-windows-1252.txt);
 * NUL: there is none. Our own, because `TextDecoder` of several releases of Node.js takes these bytes for control characters.
 */
const HIGH_CONTROLS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
/** Bytes that become one string at a time: a call has room for a limited number of arguments. */
const PIECE_BYTES = 8_192;

/**
 * The text of a file, without its byte order mark. Nothing but UTF-8, and UTF-16 with a byte order mark, is recognised by
 * itself: any bytes are text in some encoding of one byte a character, and a wrong guess would change letters.
 *
 * @throws TextEncodingError
 */
export function decodeText(bytes: Uint8Array, encoding: TextEncodingName = 'utf-8'): string {
  const text = encoding === 'windows-1252' ? decodeWindows1252(bytes) : decodeUnicode(bytes);
  if (text === null) throw refusalOf(bytes, encoding);
  if (text.includes('\0'))
    throw new TextEncodingError(
      'The text has NUL characters. Save it as UTF-8, or as UTF-16 with a byte order mark.',
      null,
    );
  return text;
}

function refusalOf(bytes: Uint8Array, encoding: TextEncodingName): TextEncodingError {
  if (encoding === 'windows-1252')
    return new TextEncodingError('The text is not Windows-1252: it has bytes that are no characters there.', null);
  return decodeWindows1252(bytes) === null
    ? new TextEncodingError('The text is neither UTF-8 nor Windows-1252. Save it as UTF-8.', null)
    : new TextEncodingError(
        'The text is not UTF-8. Save it as UTF-8, or choose Windows-1252 if it is that.',
        'windows-1252',
      );
}

function decodeUnicode(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeWindows1252(bytes: Uint8Array): string | null {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES)));
  const text = pieces.join('');
  if (/[\x81\x8d\x8f\x90\x9d]/.test(text)) return null;
  return text.replace(/[\x80-\x9f]/g, (control) => HIGH_CONTROLS.charAt(control.charCodeAt(0) - 0x80));
}
