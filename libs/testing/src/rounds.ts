/** Full counts of matrices, randomised tests, races and kills: `.ci/run long` sets it. Everyday runs take a tenth. */
export const IS_LONG = process.env['HONE_TEST_LONG'] === '1';

const EVERYDAY_SHARE = 10;

/**
 * How often a test repeats its work: `full` in a long run, else a tenth of it.
 *
 * @param variable of the environment; where it is set, its value is the count
 * @param least below which the test would not see what it is about
 */
export function roundsOf(full: number, variable: string, least = 1): number {
  const set = process.env[variable];
  if (set !== undefined) return Number(set);
  return IS_LONG ? full : Math.max(least, Math.ceil(full / EVERYDAY_SHARE));
}

/**
 * Settings of fast-check: how many inputs, and the seed with which they are the same in each run, unless
 * `HONE_FUZZ_RUNS` asks for other ones.
 */
export function fuzzOf(full: number, least = 1): { numRuns: number; seed?: number } {
  const numRuns = roundsOf(full, 'HONE_FUZZ_RUNS', least);
  return process.env['HONE_FUZZ_RUNS'] === undefined ? { numRuns, seed: 1 } : { numRuns };
}

/**
 * The cells of a matrix that a run tests: all in a long run, else every tenth, and one at least.
 *
 * @param offset of the first one, for example the number of the row: over ten rows, every column has its turn
 */
export function sampleOf<Cell>(cells: readonly Cell[], offset = 0): readonly Cell[] {
  if (IS_LONG) return cells;
  const first = offset % Math.min(EVERYDAY_SHARE, cells.length);
  return cells.filter((_cell, index) => index % EVERYDAY_SHARE === first);
}
