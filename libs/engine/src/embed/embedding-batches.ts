/** Tokens that are computed at once, padding included: more gain nothing, and keep others waiting. */
const MAX_BATCH_TOKENS = 1_024;
const MAX_BATCH_ROWS = 64;

/**
 * Puts texts together that are computed at once: those of like length, as all are padded to the longest.
 *
 * @param lengths tokens of each text
 * @returns positions of the texts of each batch
 */
export function toBatches(lengths: readonly number[]): number[][] {
  const shortestFirst = lengths
    .map((_length, at) => at)
    .sort((a, b) => (lengths[a] as number) - (lengths[b] as number));
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const at of shortestFirst) {
    const isFull = batch.length === MAX_BATCH_ROWS || (batch.length + 1) * (lengths[at] as number) > MAX_BATCH_TOKENS;
    if (batch.length === 0 || isFull) batches.push((batch = []));
    batch.push(at);
  }
  return batches;
}
