import type { Curve } from '../curves.js';
import { compareCurves, lastOf } from './compared-curves.js';

const curve = (name: string, ys: readonly (number | null)[], smooth?: readonly (number | null)[]): Curve => ({
  ...{ name, xs: ys.map((_, index) => index + 1), ys },
  ...(smooth && { smooth }),
});

describe('compared curves', () => {
  const jobs = [
    { label: 'A', curves: [curve('loss', [3, 2, 1], [3, 2.5, 2])] },
    { label: 'B', curves: [curve('loss', [5]), curve('reward', [0.5])] },
  ];

  it('have the figures of all jobs over the steps of the longest, each job in its own line', () => {
    expect(compareCurves(jobs, 'both')).toEqual([
      {
        name: 'loss',
        xs: [1, 2, 3],
        lines: [
          { label: 'A', ys: [3, 2, 1], smooth: [3, 2.5, 2] },
          { label: 'B', ys: [5, null, null] },
        ],
      },
      {
        name: 'reward',
        xs: [1],
        lines: [
          { label: 'A', ys: [null] },
          { label: 'B', ys: [0.5] },
        ],
      },
    ]);
  });

  it('show means alone, or values alone; where there is no mean, the values', () => {
    const linesOf = (shown: 'means' | 'values') => compareCurves(jobs, shown)[0]?.lines;
    expect(linesOf('means')).toEqual([
      { label: 'A', ys: [3, 2.5, 2] },
      { label: 'B', ys: [5, null, null] },
    ]);
    expect(linesOf('values')).toEqual([
      { label: 'A', ys: [3, 2, 1] },
      { label: 'B', ys: [5, null, null] },
    ]);
  });

  it('are none before there are steps', () => {
    expect(compareCurves([{ label: 'A', curves: [] }], 'both')).toEqual([]);
  });

  it('end at their mean, else at the last value that there is', () => {
    expect([lastOf(curve('x', [3, 1], [3, 2])), lastOf(curve('x', [3, null])), lastOf(curve('x', [null]))]).toEqual([
      2,
      3,
      null,
    ]);
  });
});
