import { CohenKappa } from './cohen-kappa.js';
import { FleissKappa } from './fleiss-kappa.js';
import { KrippendorffAlpha } from './krippendorff-alpha.js';
import type { RatedItem, RatingLevel } from './rating.js';

const noPause = async () => undefined;

/** Items from a row of values for each annotator; `*`: no rating. */
function itemsOf(...rows: string[]): RatedItem[] {
  const cells = rows.map((row) => row.split(' '));
  return (cells[0] ?? []).map((_, at) => ({
    id: `i${at}`,
    ratings: cells.flatMap((row, annotator) =>
      row[at] === '*' ? [] : [{ annotator: `a${annotator}`, value: row[at] as string }],
    ),
  }));
}

/** Items of which each has so many ratings of each value. */
const itemsOfCounts = (...rows: number[][]): RatedItem[] =>
  rows.map((counts, at) => ({
    id: `i${at}`,
    ratings: counts.flatMap((count, value) =>
      Array.from({ length: count }, (_, n) => ({ annotator: `${value} ${n}`, value: String(value) })),
    ),
  }));

async function kappasOf(items: RatedItem[]) {
  const cohen = new CohenKappa();
  for (const { ratings } of items)
    ratings.forEach((one, at) => ratings.slice(at + 1).forEach((other) => cohen.add(one, other)));
  return cohen.pairs(noPause);
}

function fleissOf(items: RatedItem[]): number | null {
  const fleiss = new FleissKappa();
  for (const item of items) fleiss.add(item);
  return fleiss.kappa();
}

function alphaOf(items: RatedItem[], level: RatingLevel): Promise<number | null> {
  const alpha = new KrippendorffAlpha(level);
  for (const item of items) alpha.add(item);
  return alpha.alpha(noPause);
}

describe("Cohen's kappa", () => {
  const table = (yesYes: number, yesNo: number, noYes: number, noNo: number) => {
    const cells: [number, string, string][] = [
      [yesYes, 'y', 'y'],
      [yesNo, 'y', 'n'],
      [noYes, 'n', 'y'],
      [noNo, 'n', 'n'],
    ];
    return itemsOf(
      cells.flatMap(([count, a]) => Array(count).fill(a) as string[]).join(' '),
      cells.flatMap(([count, , b]) => Array(count).fill(b) as string[]).join(' '),
    );
  };

  it('is 0.4 for the counts 20, 5, 10, 15', async () => {
    expect(await kappasOf(table(20, 5, 10, 15))).toEqual([{ a: 'a0', b: 'a1', n: 50, kappa: 0.4 }]);
  });

  it.each([
    [[45, 15, 25, 15], 0.1304],
    [[25, 35, 5, 35], 0.2593],
    [[5, 0, 0, 5], 1],
    [[0, 5, 5, 0], -1],
  ] as const)('of %j is %d', async (counts, expected) => {
    expect((await kappasOf(table(...(counts as [number, number, number, number]))))[0]?.kappa).toBeCloseTo(expected, 4);
  });

  it('is undefined where both use one value alone, and 0 where one of them does', async () => {
    expect((await kappasOf(table(5, 0, 0, 0)))[0]?.kappa).toBe(null);
    expect((await kappasOf(table(3, 0, 2, 0)))[0]?.kappa).toBe(0);
  });

  it('counts for each pair the items that both have rated', async () => {
    const pairs = await kappasOf(itemsOf('1 2 * 1', '1 2 1 *', '* * * 1'));
    expect(pairs).toEqual([
      { a: 'a0', b: 'a1', n: 2, kappa: 1 },
      { a: 'a0', b: 'a2', n: 1, kappa: null },
    ]);
  });
});

describe("Fleiss' kappa", () => {
  it('is 0.210 for fourteen raters, ten subjects and five categories', () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    expect(fleissOf(itemsOfCounts(...counts))).toBeCloseTo(0.21, 3);
    // Items with fewer or more ratings do not count, nor do those with one.
    expect(fleissOf(itemsOfCounts(...counts, [1], [3, 0], [0, 3], [15]))).toBeCloseTo(0.21, 3);
  });

  it('takes the commonest number of ratings, of equally common ones the greater', () => {
    const two = itemsOfCounts([2, 0], [0, 2]);
    const three = itemsOfCounts([2, 1], [1, 2]);
    expect(fleissOf(two)).toBe(1);
    expect(fleissOf([...two, ...three])).toBe(fleissOf(three));
    expect(fleissOf([...two, ...itemsOfCounts([1, 1]), ...three])).toBe(fleissOf([...two, ...itemsOfCounts([1, 1])]));
  });

  it('is undefined without such items, and where all ratings are equal', () => {
    expect(fleissOf([])).toBe(null);
    expect(fleissOf(itemsOfCounts([1], [0, 1]))).toBe(null);
    expect(fleissOf(itemsOfCounts([3], [3]))).toBe(null);
  });
});

describe("Krippendorff's alpha", () => {
  const THREE = itemsOf(
    '* * * * * 3 4 1 2 1 1 3 3 * 3',
    '1 * 2 1 3 3 4 3 * * * * * * *',
    '* * 2 1 3 4 4 * 2 1 1 3 3 * 4',
  );

  it.each([
    ['nominal', 0.691],
    ['interval', 0.811],
  ] as const)('of three raters with gaps is on the %s level %d', async (level, expected) => {
    expect(await alphaOf(THREE, level)).toBeCloseTo(expected, 3);
  });

  // The four observers and twelve units of Krippendorff (2011), section C.
  const FOUR = itemsOf(
    '1 2 3 3 2 1 4 1 2 * * *',
    '1 2 3 3 2 2 4 1 2 5 * 3',
    '* 3 3 3 2 3 4 2 2 5 1 *',
    '1 2 3 3 2 4 4 1 2 5 1 *',
  );
  it.each([
    ['nominal', 0.743],
    ['ordinal', 0.815],
    ['interval', 0.849],
  ] as const)('of four observers with gaps is on the %s level %d', async (level, expected) => {
    expect(await alphaOf(FOUR, level)).toBeCloseTo(expected, 3);
  });

  /** By the definition: every pair of ratings, with the differences of each level as Krippendorff writes them. */
  function byDefinition(items: RatedItem[], level: RatingLevel): number {
    const units = items
      .map(({ ratings }) => ratings.map(({ value }) => Number(value)))
      .filter(({ length }) => length > 1);
    const all = units.flat();
    const between = (x: number, y: number) => {
      const [low, high] = x < y ? [x, y] : [y, x];
      const countOf = (value: number) => all.filter((one) => one === value).length;
      return all.filter((one) => one >= low && one <= high).length - (countOf(x) + countOf(y)) / 2;
    };
    const difference = {
      nominal: (x: number, y: number) => Number(x !== y),
      interval: (x: number, y: number) => (x - y) ** 2,
      ordinal: (x: number, y: number) => (x === y ? 0 : between(x, y) ** 2),
    }[level];
    const pairsOf = (values: number[]) =>
      values.flatMap((x, i) => values.map((y, j) => (i === j ? 0 : difference(x, y)))).reduce((a, b) => a + b, 0);
    const observed = units.map((unit) => pairsOf(unit) / (unit.length - 1)).reduce((a, b) => a + b, 0) / all.length;
    return 1 - observed / (pairsOf(all) / (all.length * (all.length - 1)));
  }

  it.each(['nominal', 'ordinal', 'interval'] as const)('is on the %s level what its definition says', async (level) => {
    let seed = 1;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 30; round++) {
      const items = Array.from({ length: 2 + random(10) }, (_, at) => ({
        id: `i${at}`,
        ratings: Array.from({ length: 2 + random(4) }, (_value, n) => ({
          annotator: `a${n}`,
          value: String(random(6) / 4 - 0.5),
        })),
      }));
      const expected = byDefinition(items, level);
      if (!Number.isNaN(expected)) expect(await alphaOf(items, level)).toBeCloseTo(expected, 9);
    }
  });

  it('counts on the metric levels numbers alone', async () => {
    const items = itemsOf('1 2 true "2" 5', '1 3 false "3" *');
    expect(await alphaOf(items, 'interval')).toBe(await alphaOf(itemsOf('1 2', '1 3'), 'interval'));
    expect(await alphaOf(items, 'nominal')).not.toBe(await alphaOf(itemsOf('1 2', '1 3'), 'nominal'));
  });

  it('is undefined without two ratings of an item, and where all are equal', async () => {
    for (const level of ['nominal', 'ordinal', 'interval'] as const) {
      expect(await alphaOf([], level)).toBe(null);
      expect(await alphaOf(itemsOf('1 *', '* 2'), level)).toBe(null);
      expect(await alphaOf(itemsOf('0.1 0.1 0.1', '0.1 0.1 0.1'), level)).toBe(null);
    }
    expect(await alphaOf(itemsOf('1e308 -1e308', '1e308 1e308'), 'interval')).toBe(null);
  });
});
