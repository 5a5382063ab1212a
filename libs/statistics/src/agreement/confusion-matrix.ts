import { checkAmount } from '../data/checks.js';
import { sumOf } from '../data/moments.js';
import { effectiveCount } from '../data/weights.js';

/**
 * Counts of labelled calls: `counts[h][j]` of them have the human verdict `categories[h]` and the judge's
 * `categories[j]`.
 */
export interface ConfusionMatrix {
  /** Two or more verdicts, in the order of rows and columns. */
  readonly categories: readonly (string | number | boolean)[];
  /** Rows: people's verdict. Columns: the judge's. Numbers >= 0: of weighted calls they are no integers. */
  readonly counts: readonly (readonly number[])[];
}

/**
 * Counts the verdicts of people and of a judge on the same calls.
 *
 * @param human verdict of each call
 * @param judge verdict of the same calls, in the same order
 * @param categories verdicts that are possible, seen or not: kappa and AC1 depend on how many there are
 * @param weights of the calls, above 0, such as 1/chance of calls drawn with unequal chances. The counts then add up to
 *   as many calls of equal weight as tell as much (`effectiveCount`)
 * @throws RangeError the lists differ in length, a verdict is none of the categories, or there are fewer than two
 */
export function confusionMatrix<Category extends string | number | boolean>(
  human: readonly Category[],
  judge: readonly Category[],
  categories: readonly Category[],
  weights?: readonly number[],
): ConfusionMatrix {
  if (human.length !== judge.length) {
    throw new RangeError(`human and judge must be of one length, got ${human.length} and ${judge.length}`);
  }
  const rowOf = new Map(categories.map((category, at) => [category, at]));
  if (rowOf.size !== categories.length || rowOf.size < 2) {
    throw new RangeError('categories must hold at least two verdicts, each once');
  }
  const indexOf = (verdict: Category): number => {
    const at = rowOf.get(verdict);
    if (at === undefined) throw new RangeError(`${String(verdict)} is none of the categories`);
    return at;
  };
  const unit = weights === undefined ? 1 : effectiveCount(weights) / sumOf(weights);
  const counts = categories.map(() => categories.map(() => 0));
  human.forEach((verdict, at) => {
    const row = counts[indexOf(verdict)] as number[];
    const column = indexOf(judge[at] as Category);
    row[column] = (row[column] as number) + unit * (weights?.[at] ?? 1);
  });
  return { categories: [...categories], counts };
}

/** Shares of all counts, with those of each row and column. */
export interface Shares {
  readonly total: number;
  readonly cells: readonly (readonly number[])[];
  /** People's verdicts. */
  readonly rows: readonly number[];
  /** The judge's verdicts. */
  readonly columns: readonly number[];
  /** Of verdicts that agree. */
  readonly observed: number;
}

/** @throws RangeError the matrix is not square, has fewer than two categories, or a count is no number >= 0 */
export function sharesOf({ categories, counts }: ConfusionMatrix): Shares {
  const size = categories.length;
  if (size < 2 || counts.length !== size || counts.some((row) => row.length !== size)) {
    throw new RangeError(`counts must be a square of at least two categories, ${size} are named`);
  }
  counts.forEach((row, h) => row.forEach((count, j) => checkAmount(`counts[${h}][${j}]`, count)));
  const total = counts.flat().reduce((sum, count) => sum + count, 0);
  const cells = counts.map((row) => row.map((count) => (total === 0 ? 0 : count / total)));
  const rows = cells.map((row) => row.reduce((sum, share) => sum + share, 0));
  const columns = rows.map((_row, j) => cells.reduce((sum, row) => sum + (row[j] as number), 0));
  const observed = cells.reduce((sum, row, at) => sum + (row[at] as number), 0);
  return { total, cells, rows, columns, observed };
}
