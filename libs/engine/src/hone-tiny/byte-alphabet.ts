/**
 * A printable character for each byte, as GPT-2 writes them in vocabulary files: printable Latin-1 bytes stand for
 * themselves, the others are counted up from U+0100 in byte order.
 */
export const BYTE_CHARACTERS: readonly string[] = byteCharacters();

export const toByteCharacters = (text: string): string =>
  Array.from(Buffer.from(text, 'utf8'), (byte) => BYTE_CHARACTERS[byte]).join('');

function byteCharacters(): string[] {
  let other = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : other++));
}

function isPrintable(byte: number): boolean {
  // 0xAD, the soft hyphen, is invisible.
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad);
}
