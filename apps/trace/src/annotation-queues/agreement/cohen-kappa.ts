import type { Rating } from './rating.js';

/** Cohen's kappa of two annotators over the items that both have rated. */
export interface CohenPair {
  a: string;
  b: string;
  /** Items that both have rated. */
  n: number;
  /** 1: they always agree; 0: no more than by chance. Null: undefined, because both use one and the same value alone. */
  kappa: number | null;
}

interface PairCounts {
  a: string;
  b: string;
  n: number;
  agreed: number;
  /** Value -> how often each of the two used it. */
  values: Map<string, [ofA: number, ofB: number]>;
}

/** Counts for each pair of annotators how often they agree. */
export class CohenKappa {
  private readonly countsByPair = new Map<string, PairCounts>();

  /** Counts two ratings of one item. */
  add(one: Rating, other: Rating): void {
    const [first, second] = one.annotator < other.annotator ? [one, other] : [other, one];
    const counts = this.of(first.annotator, second.annotator);
    counts.n++;
    if (first.value === second.value) counts.agreed++;
    for (const [index, { value }] of [first, second].entries()) {
      const used = counts.values.get(value) ?? [0, 0];
      used[index as 0 | 1]++;
      counts.values.set(value, used);
    }
  }

  /**
   * All pairs with an item in common, by their annotators.
   *
   * @param pause waits, when the work has taken long, so that other work goes on
   */
  async pairs(pause: () => Promise<void>): Promise<CohenPair[]> {
    const byA = new Map<string, CohenPair[]>();
    for (const { a, b, ...counts } of this.countsByPair.values()) {
      const pairs = byA.get(a) ?? [];
      pairs.push({ a, b, n: counts.n, kappa: kappaOf(counts) });
      byA.set(a, pairs);
      await pause();
    }
    const all: CohenPair[] = [];
    for (const a of [...byA.keys()].sort(compare)) {
      all.push(...(byA.get(a) as CohenPair[]).sort((x, y) => compare(x.b, y.b)));
      await pause();
    }
    return all;
  }

  private of(a: string, b: string): PairCounts {
    const key = `${a} ${b}`;
    const known = this.countsByPair.get(key);
    if (known) return known;
    const made: PairCounts = { a, b, n: 0, agreed: 0, values: new Map() };
    this.countsByPair.set(key, made);
    return made;
  }
}

const compare = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);

/**
 * (po - pe) / (1 - pe), with po the share of items on which both agree, and pe the agreement expected of their marginals.
 *
 * J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960), 37-46.
 */
function kappaOf({ n, agreed, values }: Pick<PairCounts, 'n' | 'agreed' | 'values'>): number | null {
  // In counts rather than shares, so that whole numbers stay exact.
  let expected = 0;
  for (const [ofA, ofB] of values.values()) expected += ofA * ofB;
  return expected === n * n ? null : (agreed * n - expected) / (n * n - expected);
}
