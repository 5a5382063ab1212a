/** The list in parts of at most `size`, for requests that take no more at a time. */
export const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

/**
 * The list in parts whose weights sum up to at most `maxWeight`, in order. What is heavier by itself is a part of its
 * own, and the server says whether it takes it.
 */
export function chunksByWeight<T>(list: readonly T[], maxWeight: number, weightOf: (item: T) => number): T[][] {
  const chunks: T[][] = [];
  let left = 0;
  for (const item of list) {
    const weight = weightOf(item);
    if (weight > left || chunks.length === 0) {
      chunks.push([]);
      left = maxWeight;
    }
    chunks.at(-1)?.push(item);
    left -= weight;
  }
  return chunks;
}
