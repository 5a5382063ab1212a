import { checkLevel } from '../data/checks.js';
import { clip, DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { twoSidedNormal } from '../intervals/two-sided.js';
import { type ConfusionMatrix, sharesOf } from './confusion-matrix.js';

/**
 * Cohen's kappa, agreement beyond chance: J. Cohen, Educational and Psychological Measurement 20 (1960) 37. Its
 * interval is asymptotic: J. L. Fleiss, J. Cohen and B. S. Everitt, Psychological Bulletin 72 (1969) 323.
 *
 * @returns −1 to 1; null: undefined, as there is no label or chance alone agrees always (both sides know one verdict)
 * @throws RangeError the matrix is malformed, or the level out of its range
 */
export function cohenKappa(matrix: ConfusionMatrix, level = DEFAULT_LEVEL): Interval | null {
  checkLevel(level);
  const { total, cells, rows, columns, observed } = sharesOf(matrix);
  const chance = rows.reduce((sum, row, at) => sum + row * (columns[at] as number), 0);
  if (total === 0 || chance >= 1) return null;
  const kappa = (observed - chance) / (1 - chance);
  let agreeing = 0;
  let disagreeing = 0;
  cells.forEach((row, h) =>
    row.forEach((share, j) => {
      const both = (rows[j] as number) + (columns[h] as number);
      if (h === j) agreeing += share * (1 - both * (1 - kappa)) ** 2;
      else disagreeing += share * both ** 2;
    }),
  );
  const spread = agreeing + (1 - kappa) ** 2 * disagreeing - (kappa - chance * (1 - kappa)) ** 2;
  const half = (twoSidedNormal(level) * Math.sqrt(Math.max(0, spread) / total)) / (1 - chance);
  return {
    estimate: kappa,
    low: clip(kappa - half, -1, kappa),
    high: clip(kappa + half, kappa, 1),
    level,
    method: 'asymptotic',
  };
}
