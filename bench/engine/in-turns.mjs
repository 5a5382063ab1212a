/**
 * Runs several sides in turn, A B C A B C, so that whatever slows the machine down slows all; the first turn of each
 * warms up and does not count.
 *
 * @template T
 * @param {number} rounds
 * @param {Record<string, () => Promise<T>>} sides
 * @param {(round: number) => void} onRound
 * @returns {Promise<Record<string, T[]>>}
 */
export async function inTurns(rounds, sides, onRound) {
  const results = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    onRound(round);
    for (const [name, side] of Object.entries(sides)) {
      const result = await side();
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}
