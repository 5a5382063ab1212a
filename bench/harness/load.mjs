/**
 * Lets every worker do its work again and again until `durationMs` is over.
 *
 * @param {number} durationMs
 * @param {(() => Promise<number>)[]} workers each call does a piece of work and returns how many units it was
 * @returns {Promise<{ perSecond: number, units: number, latenciesMs: number[] }>} one latency per call
 */
export async function runFor(durationMs, workers) {
  const latenciesMs = [];
  let units = 0;
  const begin = performance.now();
  const deadline = begin + durationMs;
  await Promise.all(
    workers.map(async (work) => {
      for (let now = performance.now(); now < deadline;) {
        const done = await work();
        units += done;
        const end = performance.now();
        latenciesMs.push(end - now);
        now = end;
      }
    }),
  );
  return { perSecond: (units * 1_000) / (performance.now() - begin), units, latenciesMs };
}

/**
 * Runs two sides in turn, A B A B, so that whatever slows the machine down slows both; the first turn of each warms
 * up and does not count.
 *
 * @template A, B
 * @param {number} rounds
 * @param {() => Promise<A>} a
 * @param {() => Promise<B>} b
 * @param {(round: number) => void} onRound
 * @returns {Promise<{ a: A[], b: B[] }>}
 */
export async function inTurn(rounds, a, b, onRound) {
  const results = { a: [], b: [] };
  for (let round = 0; round <= rounds; round++) {
    onRound(round);
    const ofA = await a();
    const ofB = await b();
    if (round === 0) continue;
    results.a.push(ofA);
    results.b.push(ofB);
  }
  return results;
}
