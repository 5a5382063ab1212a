/** Tokens that are computed at once, padding included: more gain nothing, and keep others waiting. */
const MAX_BATCH_TOKENS = 1_024;
const MAX_BATCH_ROWS = 64;
/** Texts that go to a thread at once: to copy more would hold the event loop. */
const MAX_PART_CHARACTERS = 2 ** 20;

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

/** Cuts a list of texts into parts that are copied to a thread one by one. A text stays whole, however long it is. */
export function toParts(texts: readonly string[]): string[][] {
  const parts: string[][] = [];
  let characters = Infinity;
  for (const text of texts) {
    characters += text.length;
    if (characters > MAX_PART_CHARACTERS) {
      parts.push([]);
      characters = text.length;
    }
    parts.at(-1)?.push(text);
  }
  return parts;
}
