import type { RatedItem } from './rating.js';

/** Items with one and the same number of ratings. */
interface Group {
  items: number;
  /** Sum over the items of the pairs of ratings that agree. */
  agreeingPairs: number;
  /** Value -> ratings with it. */
  values: Map<string, number>;
}

/**
 * Fleiss' kappa, which needs one number of ratings for all items. Ours: only the items with the commonest number of at
 * least two count, of equally common numbers the greater.
 */
export class FleissKappa {
  private readonly groups = new Map<number, Group>();

  add({ ratings }: RatedItem): void {
    if (ratings.length < 2) return;
    const group = this.groups.get(ratings.length) ?? { items: 0, agreeingPairs: 0, values: new Map<string, number>() };
    this.groups.set(ratings.length, group);
    group.items++;
    const counts = new Map<string, number>();
    for (const { value } of ratings) counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const [value, count] of counts) {
      group.agreeingPairs += count * (count - 1);
      group.values.set(value, (group.values.get(value) ?? 0) + count);
    }
  }

  /**
   * (P - Pe) / (1 - Pe): P the mean share of agreeing pairs of ratings of an item, Pe the sum of the squared shares of the
   * values. Null: undefined, because there are no such items, or all their ratings are equal.
   *
   * J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76 (1971), 378-382.
   */
  kappa(): number | null {
    let commonest: [number, Group] | undefined;
    for (const entry of this.groups) {
      const [ratings, { items }] = entry;
      if (!commonest || items > commonest[1].items || (items === commonest[1].items && ratings > commonest[0]))
        commonest = entry;
    }
    if (!commonest) return null;
    const [ratings, { items, agreeingPairs, values }] = commonest;
    const total = items * ratings;
    let squares = 0;
    for (const count of values.values()) squares += count * count;
    if (squares === total * total) return null;
    const expected = squares / (total * total);
    return (agreeingPairs / (total * (ratings - 1)) - expected) / (1 - expected);
  }
}
