import type { Pooling } from '../model/index.js';
import type { HiddenStates } from './encoder-graph.js';

/**
 * Makes one vector of those of a text's tokens, of length 1 (Euclidean): Reimers and Gurevych 2019, Sentence-BERT.
 *
 * @param row which of the texts
 * @param tokens how many tokens it has, special ones included
 * @param kept how many of the numbers are kept, before the length is made 1: Kusupati et al. 2022, Matryoshka
 */
export function pool(states: HiddenStates, row: number, tokens: number, pooling: Pooling, kept: number): Float32Array {
  const { values, length, dimensions } = states;
  const sums = new Float64Array(kept);
  const counted = pooling === 'cls' ? 1 : tokens;
  for (let token = 0; token < counted; token += 1) {
    const at = (row * length + token) * dimensions;
    for (let index = 0; index < kept; index += 1)
      sums[index] = (sums[index] as number) + (values[at + index] as number);
  }
  // The mean is not taken: a factor does not change the direction.
  const norm = Math.sqrt(sums.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(sums, (value) => (norm === 0 ? 0 : value / norm));
}
