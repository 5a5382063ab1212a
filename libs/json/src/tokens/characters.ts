/**
 * The characters of JSON's grammar (RFC 8259). All of them are ASCII, so each is one UTF-16 code unit of a text and one
 * byte of its UTF-8: readers of texts and readers of bytes share these codes.
 */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
export const OPENING_BRACKET = 0x5b;
export const CLOSING_BRACKET = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const SPACE = 0x20;
export const PLUS = 0x2b;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const ZERO = 0x30;
export const NINE = 0x39;
export const LETTER_E = 0x65;
export const LETTER_F = 0x66;
export const LETTER_N = 0x6e;
export const LETTER_T = 0x74;
export const LETTER_U = 0x75;

/** Kinds of characters between strings. Each is one bit, so that a loop can look for several kinds at once. */
export const IS_QUOTE = 1;
/** `{` or `[`. */
export const IS_OPENING = 2;
/** `}` or `]`. */
export const IS_CLOSING = 4;
export const IS_COLON = 8;
export const IS_COMMA = 16;
/** Space, tab, line feed or carriage return. */
export const IS_BLANK = 32;
/** Line feed or carriage return. */
export const IS_LINE_BREAK = 64;
/** `e` or `E`, which `true` and `false` have as well. */
export const IS_EXPONENT = 128;
export const IS_DIGIT = 256;
/** A byte of the byte order mark in UTF-8. */
export const IS_MARK = 512;

/** Code of a character, below 256 -> the bits of its kinds. */
export const KINDS = /* @__PURE__ */ kindsOf([
  ['"', IS_QUOTE],
  ['{[', IS_OPENING],
  ['}]', IS_CLOSING],
  [':', IS_COLON],
  [',', IS_COMMA],
  [' \t\n\r', IS_BLANK],
  ['\n\r', IS_LINE_BREAK],
  ['eE', IS_EXPONENT],
  ['0123456789', IS_DIGIT],
  ['\u00ef\u00bb\u00bf', IS_MARK],
]);

function kindsOf(list: readonly (readonly [characters: string, kind: number])[]): Uint16Array {
  const kinds = new Uint16Array(256);
  for (const [characters, kind] of list) for (const one of characters) kinds[one.charCodeAt(0)]! |= kind;
  return kinds;
}
