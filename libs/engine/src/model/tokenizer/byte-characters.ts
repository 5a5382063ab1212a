/**
 * The character that stands for each byte in a byte-level vocabulary, by byte: printable bytes are
 * themselves, the others are moved to code points from 256 on. From GPT-2's encoder
 * (https://github.com/openai/gpt-2/blob/master/src/encoder.py, bytes_to_unicode).
 */
export const BYTE_CHARACTERS: readonly string[] = byteCharacters();

/** The byte that a character stands for, by its code (all are below 324); undefined where it stands for none. */
export const CODE_BYTES: readonly (number | undefined)[] = codeBytes();

/** The characters of the bytes of `text` in UTF-8. */
export const toByteCharacters = (text: string): string =>
  Array.from(Buffer.from(text, 'utf8'), (byte) => BYTE_CHARACTERS[byte]).join('');

function byteCharacters(): string[] {
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    return String.fromCodePoint(isPrintable(byte) ? byte : 256 + moved++);
  });
}

function codeBytes(): (number | undefined)[] {
  const bytes: (number | undefined)[] = [];
  for (const [byte, character] of BYTE_CHARACTERS.entries()) bytes[character.charCodeAt(0)] = byte;
  return bytes;
}

/** In Latin-1, without the blank, the no-break space and the soft hyphen. */
function isPrintable(byte: number): boolean {
  return (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
}
