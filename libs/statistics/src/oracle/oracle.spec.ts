import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as statistics from '../index.js';
import { type Figures, figuresOf, type OracleTable } from './figures.fixture.js';

/**
 * Tables with the figures of SciPy, ppi-python, truescore, statsmodels, irrCAC and MLflow: `write_tables.py` makes
 * them.
 */
const TABLES = JSON.parse(readFileSync(join(import.meta.dirname, 'tables.json'), 'utf8')) as {
  table: OracleTable;
  figures: Figures;
}[];

describe('the figures of other libraries', () => {
  it.each(TABLES.map(({ table, figures }, at) => ({ at, table, figures })))(
    'are ours of table $at',
    ({ table, figures }) => {
      const ours = figuresOf(statistics, table);
      expect(Object.keys(ours).sort()).toEqual(Object.keys(figures).sort());
      const differing = Object.entries(figures).filter(
        ([name, figure]) => !isEqual(ours[name] as number | null, figure),
      );
      expect(differing.map(([name, figure]) => `${name}: ${ours[name]}, not ${figure}`)).toEqual([]);
    },
  );

  it('are compared in each form of table', () => {
    expect(TABLES.length).toBeGreaterThanOrEqual(48);
    expect(new Set(TABLES.map(({ table }) => table.isRate))).toEqual(new Set([true, false]));
  });
});

function isEqual(ours: number | null, theirs: number | null): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  return Math.abs(ours - theirs) <= 1e-9 * Math.max(1, Math.abs(theirs));
}
