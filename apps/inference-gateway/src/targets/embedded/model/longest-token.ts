import type { ModelTokenizer } from '@hone/engine';

/** Bytes of the longest token: so much text at most fits into a context per token. */
export function longestTokenBytes(tokenizer: ModelTokenizer): number {
  let longest = 1;
  for (let id = 0; id < tokenizer.vocabSize; id += 1) {
    longest = Math.max(longest, tokenizer.tokenBytes(id).length);
  }
  return longest;
}
