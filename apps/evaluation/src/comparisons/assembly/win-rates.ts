import type { ComparedFigureDto, WinRateDto } from '@hone/contracts';

import { meanFigure } from './figures.js';
import type { RunTable } from './run-table.js';

const TIE = 0.5;

/** Student's t reaches beyond what a share can be. */
const asShare = (figure: ComparedFigureDto): ComparedFigureDto => ({
  ...figure,
  low: figure.low === null ? null : Math.max(0, figure.low),
  high: figure.high === null ? null : Math.min(1, figure.high),
});

/**
 * How often one side of pairs is the better one.
 *
 * @param values 1 for a win, 0.5 for a tie, 0 for a loss
 */
export const winRateOf = (values: readonly number[], level: number): ComparedFigureDto =>
  asShare(
    meanFigure(
      values,
      values.map(() => null),
      'score',
      level,
    ),
  );

/** What judges found that compared a run's answers with the baseline's. */
export function winRatesOf(table: RunTable, run: number, level: number): WinRateDto[] {
  return table.wins.flatMap((metric) => {
    const values = table.winsOf(metric, run).filter((value) => value !== null);
    if (values.length === 0) return [];
    const [wins, losses] = [values.filter((value) => value > TIE).length, values.filter((value) => value < TIE).length];
    return {
      ...{ metric, wins, ties: values.length - wins - losses, losses },
      win_rate: winRateOf(values, level),
    };
  });
}
