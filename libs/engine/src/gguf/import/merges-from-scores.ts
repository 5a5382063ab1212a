import { type GgufVocabulary, TOKEN_TYPE } from './gguf-vocabulary.js';

/**
 * SentencePiece merges whichever neighbours make the piece of the highest score; BPE wants pairs in order of rank. Each
 * way to cut a piece into two pieces is a pair, with the piece's score (generate_merges of transformers'
 * convert_slow_tokenizer.py).
 */
export function mergesFromScores(vocabulary: GgufVocabulary, scores: ArrayLike<number>): [string, string][] {
  const pieces = new Map<string, number>();
  for (const [id, token] of vocabulary.tokens.entries()) {
    if (vocabulary.typeOf(id) === TOKEN_TYPE.normal) pieces.set(token, id);
  }
  const ranked = [...pieces].sort(([, a], [, b]) => scores[b]! - scores[a]! || a - b);
  return ranked.flatMap(([piece]) => {
    const pairs = cuts(piece).filter(([left, right]) => pieces.has(left) && pieces.has(right));
    const byIds = ([a, b]: [string, string], [c, d]: [string, string]): number =>
      pieces.get(a)! - pieces.get(c)! || pieces.get(b)! - pieces.get(d)!;
    return pairs.sort(byIds);
  });
}

function cuts(piece: string): [string, string][] {
  return Array.from({ length: Math.max(0, piece.length - 1) }, (_, at) => [
    piece.slice(0, at + 1),
    piece.slice(at + 1),
  ]);
}
