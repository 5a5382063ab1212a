/**
 * Runs several sides in turn, so that whatever slows the machine down slows all: A B C, then C B A, as what one side
 * leaves to be done slows the next. The first turn of each warms up and does not count.
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
    const turns = Object.entries(sides);
    for (const [name, side] of round % 2 === 0 ? turns : turns.reverse()) {
      const result = await side();
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}
