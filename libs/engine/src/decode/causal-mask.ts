import { HIDDEN } from './cache/cache-mask.js';

/**
 * `[tokens, width]`: 0 where one of the new tokens sees a slot of its row, else HIDDEN.
 *
 * @param first position of the first token among the slots; token n is at `first + n`, and sees no slot after it
 * @param window slots that a token sees, its own among them
 */
export function causalMask(tokens: number, width: number, first: number, window = Infinity): Float32Array {
  const mask = new Float32Array(tokens * width);
  for (let token = 0; token < tokens; token += 1) {
    const [row, position] = [token * width, first + token];
    mask.fill(HIDDEN, row, row + Math.min(width, Math.max(0, position - window + 1)));
    mask.fill(HIDDEN, row + Math.min(width, position + 1), row + width);
  }
  return mask;
}
