import { checkLevel } from '../data/checks.js';
import { clip, DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { twoSidedT } from '../intervals/two-sided.js';
import { type ConfusionMatrix, sharesOf } from './confusion-matrix.js';

/**
 * Gwet's AC1, agreement beyond chance that does not collapse where one verdict is rare: K. L. Gwet, British Journal of
 * Mathematical and Statistical Psychology 61 (2008) 29; its variance over calls with two raters as in his
 * package irrCAC, with a t interval of `labels - 1` degrees of freedom.
 *
 * @returns −1 to 1; null: fewer than two labels
 * @throws RangeError the matrix is malformed, or the level out of its range
 */
export function gwetAc1(matrix: ConfusionMatrix, level = DEFAULT_LEVEL): Interval | null {
  checkLevel(level);
  const { total, cells, rows, columns, observed } = sharesOf(matrix);
  if (total < 2) return null;
  const prevalence = rows.map((row, at) => (row + (columns[at] as number)) / 2);
  const others = rows.length - 1;
  const chance = prevalence.reduce((sum, share) => sum + share * (1 - share), 0) / others;
  const ac1 = (observed - chance) / (1 - chance);
  let spread = 0;
  cells.forEach((row, h) =>
    row.forEach((share, j) => {
      const own = ((h === j ? 1 : 0) - chance) / (1 - chance);
      const ownChance = (1 - ((prevalence[h] as number) + (prevalence[j] as number)) / 2) / others;
      spread += share * (own - (2 * (1 - ac1) * (ownChance - chance)) / (1 - chance) - ac1) ** 2;
    }),
  );
  const half = twoSidedT(level, total - 1) * Math.sqrt(spread / (total - 1));
  return { estimate: ac1, low: clip(ac1 - half, -1, ac1), high: clip(ac1 + half, ac1, 1), level, method: 't' };
}
