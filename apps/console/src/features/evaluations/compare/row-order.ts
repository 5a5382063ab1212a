import { type Change, changeOf, type Direction } from '../direction.js';
import { LATENCY, type ResultRow } from '../results.js';

/** In which order rows are shown: the worst change first, the best one, or as the runs have them. */
export const ROW_ORDERS = {
  '': 'the worst change first',
  better: 'the best change first',
  rows: 'as in the runs',
} as const;
export type RowOrder = keyof typeof ROW_ORDERS;

export const toRowOrder = (text: string): RowOrder => (Object.hasOwn(ROW_ORDERS, text) ? (text as RowOrder) : '');

interface Settings {
  /** Ids of the runs, the baseline first. */
  readonly runs: readonly string[];
  /** '': all scores, each as a share of its largest change. */
  readonly metric: string;
  readonly direction: (metric: string) => Direction;
}

/** By metric how much better a run is at the row than the baseline; below 0: worse. */
function gainOf(row: ResultRow, run: string, { runs, metric, direction }: Settings): ReadonlyMap<string, number> {
  const before = row.cells.get(runs[0] ?? '')?.metrics;
  const after = row.cells.get(run)?.metrics;
  const gains = new Map<string, number>();
  for (const [name, value] of after ?? []) {
    const known = before?.get(name);
    if (known === undefined || (metric === '' ? name === LATENCY : name !== metric)) continue;
    const change = changeOf(value - known, direction(name));
    gains.set(name, change === 'same' ? 0 : Math.abs(value - known) * (change === 'better' ? 1 : -1));
  }
  return gains;
}

/** Whether a run's answer to the row is better or worse than the baseline's; `same`, too, where scores disagree. */
export function changeOfCell(row: ResultRow, run: string, settings: Settings): Change {
  const gains = [...gainOf(row, run, settings).values()];
  const [isBetter, isWorse] = [gains.some((gain) => gain > 0), gains.some((gain) => gain < 0)];
  return isBetter === isWorse ? 'same' : isBetter ? 'better' : 'worse';
}

/** The rows in an order; those that are alike stay as they were. */
export function orderRows(rows: readonly ResultRow[], settings: Settings, order: RowOrder): readonly ResultRow[] {
  if (order === 'rows') return rows;
  const others = settings.runs.slice(1);
  const gains = rows.map((row) => others.map((run) => gainOf(row, run, settings)));
  const largest = new Map<string, number>();
  for (const gain of gains.flat())
    for (const [name, value] of gain) largest.set(name, Math.max(largest.get(name) ?? 0, Math.abs(value)));
  const shareOf = (gain: ReadonlyMap<string, number>): number =>
    [...gain].reduce((sum, [name, value]) => sum + value / (largest.get(name) || 1), 0);
  const keys = gains.map((of) => {
    const shares = of.map(shareOf);
    return order === 'better' ? -Math.max(0, ...shares) : Math.min(0, ...shares);
  });
  return rows
    .map((row, at) => ({ row, key: keys[at] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ row }) => row);
}
