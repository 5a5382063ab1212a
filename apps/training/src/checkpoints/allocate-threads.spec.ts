import { SPLIT_PARTS as PARTS } from '@hone/contracts';

import { allocateThreads, isTooMuch, shareOfProduction, type ThreadRange } from './allocate-threads.js';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const ROUNDS = 300;

const sizeOf = (ranges: readonly ThreadRange[], name: string) =>
  ranges.filter(({ arm }) => arm === name).reduce((sum, { from, to }) => sum + to - from, 0);
const armAt = (ranges: readonly ThreadRange[], part: number) =>
  ranges.find(({ from, to }) => part >= from && part < to)?.arm ?? 'production';

/** A part of each stretch that has one arm before and one after. */
const samplesOf = (...tables: readonly ThreadRange[][]) => [
  ...new Set([0, ...tables.flat().flatMap(({ from, to }) => [from, to])]),
];

/** Mulberry32, so that a failure comes again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('allocateThreads', () => {
  it('gives each arm its weight, and production the rest', () => {
    const ranges = allocateThreads(
      [],
      [
        { name: 'a', weight: 0.29 },
        { name: 'b', weight: 0.7 },
        { name: 'c', weight: 0 },
      ],
    );
    expect(ranges).toEqual([
      { arm: 'a', from: 0, to: 290_000 },
      { arm: 'b', from: 290_000, to: 990_000 },
    ]);
    expect(shareOfProduction(ranges)).toBe(0.01);
  });

  it.each([[[1]], [[0.1, 0.2, 0.7]], [[0.7, 0.2, 0.1]], [[1 / 3, 1 / 3, 1 / 3]], [[0.5000005, 0.4999995]]])(
    'takes the weights %j, which are all',
    (weights) => {
      expect(isTooMuch(weights)).toBe(false);
      const ranges = allocateThreads(
        [],
        weights.map((weight, at) => ({ name: NAMES[at] as string, weight })),
      );
      expect(shareOfProduction(ranges)).toBeLessThanOrEqual(weights.length / PARTS);
      expect(shareOfProduction(ranges)).toBeGreaterThanOrEqual(0);
    },
  );

  it('finds weights that add up to more than all', () => {
    expect(isTooMuch([0.5, 0.500001])).toBe(true);
  });

  it('moves threads only into arms that grow and out of arms that shrink, whatever the order of changes', () => {
    const random = seeded(7);
    let before: ThreadRange[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const shares = NAMES.map(() => (random() < 0.2 ? 0 : random()));
      const scale =
        random() /
        Math.max(
          1,
          shares.reduce((sum, share) => sum + share, 0),
        );
      const arms = NAMES.map((name, at) => ({ name, weight: (shares[at] as number) * scale })).filter(
        () => random() < 0.9,
      );
      const after = allocateThreads(before, arms);
      const grown = (name: string) => sizeOf(after, name) - sizeOf(before, name);
      for (const { name, weight } of arms) expect(Math.abs(sizeOf(after, name) - weight * PARTS)).toBeLessThan(1.1);
      for (const part of samplesOf(before, after)) {
        const [from, to] = [armAt(before, part), armAt(after, part)];
        if (from === to) continue;
        expect(to === 'production' || grown(to) > 0).toBe(true);
        expect(from === 'production' || grown(from) < 0).toBe(true);
      }
      expect(after.every(({ from, to }, at) => to > from && from >= (after[at - 1]?.to ?? 0) && to <= PARTS)).toBe(
        true,
      );
      before = after;
    }
  });

  it('lays the arms out anew where they have too many ranges', () => {
    const torn = Array.from({ length: 1_001 }, (_, at) => ({
      arm: NAMES[at % 2] as string,
      from: at * 10,
      to: at * 10 + 5,
    }));
    const arms = [
      { name: 'a', weight: 0.5 },
      { name: 'b', weight: 0.5 },
    ];
    expect(allocateThreads(torn, arms)).toHaveLength(2);
  });
});
