import { BYTE_CHARACTERS, toByteCharacters } from '../model/tokenizer/byte-characters.js';
import { GPT2_WORDS } from '../model/tokenizer/word-patterns.js';

const GPT2 = new RegExp(GPT2_WORDS, 'gu');

/** Byte-pair encoding: the alphabet of 256 byte characters, then one token for each merge. */
export interface BytePairs {
  readonly alphabet: readonly string[];
  /** In order of rank. */
  readonly merges: readonly (readonly [string, string])[];
}

interface Piece {
  symbols: string[];
  readonly count: number;
}

/**
 * Learns merges (Sennrich, Haddow, Birch 2016): again and again the most frequent pair of neighbours becomes a token.
 * Of equally frequent pairs the one that sorts first wins, so that equal texts give equal merges.
 *
 * @param numMerges fewer are returned when the texts have no more pairs
 */
export function trainBytePairs(texts: Iterable<string>, numMerges: number): BytePairs {
  const pieces = countPieces(texts);
  const merges: [string, string][] = [];
  while (merges.length < numMerges) {
    const pair = mostFrequentPair(pieces);
    if (!pair) break;
    merges.push(pair);
    for (const piece of pieces) piece.symbols = merged(piece.symbols, pair);
  }
  return { alphabet: BYTE_CHARACTERS.toSorted(), merges };
}

function countPieces(texts: Iterable<string>): Piece[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const piece of preTokens(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return Array.from(counts, ([text, count]) => ({ symbols: [...toByteCharacters(text)], count }));
}

function mostFrequentPair(pieces: readonly Piece[]): [string, string] | null {
  const counts = new Map<string, number>();
  for (const { symbols, count } of pieces) {
    for (let at = 1; at < symbols.length; at++) {
      // No symbol holds a blank: the byte 0x20 has a character of its own.
      const pair = `${symbols[at - 1]} ${symbols[at]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  let best: [string, number] | null = null;
  for (const [pair, count] of counts) {
    if (!best || count > best[1] || (count === best[1] && pair < best[0])) best = [pair, count];
  }
  return best && (best[0].split(' ') as [string, string]);
}

function merged(symbols: string[], [left, right]: readonly [string, string]): string[] {
  if (!symbols.includes(left)) return symbols;
  const result: string[] = [];
  for (let at = 0; at < symbols.length; at++) {
    const isPair = symbols[at] === left && symbols[at + 1] === right;
    result.push(isPair ? left + right : (symbols[at] as string));
    if (isPair) at++;
  }
  return result;
}

/**
 * The pieces of a text that merges never cross, as the pre-tokenizers `Digits` (each digit alone: so that a number is
 * read and written digit by digit) and then `ByteLevel` cut them.
 */
const preTokens = (text: string): string[] => text.split(/(\p{Nd})/u).flatMap((piece) => piece.match(GPT2) ?? []);
