/** Structural characters of JSON (RFC 8259, section 2) as bytes. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
export const OPENING_BRACKET = 0x5b;
export const CLOSING_BRACKET = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
