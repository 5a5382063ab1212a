import { GPT2_WORDS } from '../model/tokenizer/word-patterns.js';

const GPT2 = new RegExp(GPT2_WORDS, 'gu');

/**
 * The pieces of a text that merges never cross, as the pre-tokenizers `Digits` (each digit alone: so that a number is
 * read and written digit by digit) and then `ByteLevel` cut them.
 */
export function preTokens(text: string): string[] {
  return text.split(/(\p{Nd})/u).flatMap((piece) => piece.match(GPT2) ?? []);
}
