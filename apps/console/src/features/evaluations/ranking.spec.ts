import type { Direction } from './direction.js';
import { rankingOf } from './ranking.js';
import type { ResultRow } from './results.js';
import type { Run } from './runs.js';

const METRIC = 'exact.correct';
const SCORES: Readonly<Record<string, number | undefined>> = {
  failed: undefined,
  low: 0.2,
  lost: undefined,
  high: 0.9,
};
const runs = Object.keys(SCORES).map((id) => ({ id }) as Run);
const row: ResultRow = {
  ...{ digest: 'r', inputs: {} },
  cells: new Map(
    Object.entries(SCORES).map(([id, score]) => [
      id,
      { status: 'predicted', trials: [], metrics: new Map(score === undefined ? [] : [[METRIC, score]]) },
    ]),
  ),
};

it.each([
  ['more', ['1 high', '2 low', '- failed', '- lost']],
  ['less', ['1 low', '2 high', '- failed', '- lost']],
  ['neither', ['- high', '- low', '- failed', '- lost']],
] as [Direction, string[]][])(
  'where %s is better, runs without a score come last and have no place',
  (direction, told) => {
    const places = rankingOf(runs, [row], METRIC, direction);
    expect(places.map(({ run, place }) => `${place ?? '-'} ${run.id}`)).toEqual(told);
  },
);
