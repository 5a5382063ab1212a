/** GPT-2's pattern: contractions, words with the space before them, other signs, blanks. */
const GPT2 = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/**
 * The pieces of a text that merges never cross, as the pre-tokenizers `Digits` (each digit alone: so that a number is
 * read and written digit by digit) and then `ByteLevel` cut them.
 */
export function preTokens(text: string): string[] {
  return text.split(/(\p{Nd})/u).flatMap((piece) => piece.match(GPT2) ?? []);
}
