/** The tokens of a vocabulary. */
interface TokenLengths {
  readonly vocabSize: number;
  tokenBytes(id: number): Uint8Array;
}

/** Bytes of the longest token: an upper bound of the text that one token of context can hold. */
export function longestTokenBytes(tokenizer: TokenLengths): number {
  let longest = 1;
  for (let id = 0; id < tokenizer.vocabSize; id += 1) {
    longest = Math.max(longest, tokenizer.tokenBytes(id).length);
  }
  return longest;
}
