import type { CallChartsResultDto, ChartSeriesDto } from '@hone/client';

import { toChartRows, toTimeSeries } from './chart-rows.js';

const series = (key: ChartSeriesDto['key'], calls: number): ChartSeriesDto => ({
  ...{ key, totals: { calls, errors: 1 }, values: { calls: [calls], errors: [1] } },
});
const result = (all: ChartSeriesDto[], other: ChartSeriesDto | null = null) =>
  ({ series: all, other }) as CallChartsResultDto;

describe('the rows of a chart', () => {
  it('are named by their groups, the rest last, beside the time before', () => {
    const now = result(
      [series({ model: 'm', op: 'hone:///a/b/op/ask:*' }, 12), series({ model: null, op: 'x' }, 3)],
      series({}, 2),
    );
    const before = result([series({ model: 'm', op: 'hone:///a/b/op/ask:*' }, 10)]);
    const rows = toChartRows(now, before, ['model', 'op']);
    expect(rows.map(({ label, before: then }) => [label, then?.['calls']])).toEqual([
      ['m · ask', 10],
      ['No model · x', undefined],
      ['All others', undefined],
    ]);
    expect(toTimeSeries(rows, ['calls'])).toEqual([
      { label: 'm · ask', values: [12], total: 12, change: { text: '+20 %' }, before: '10' },
      { label: 'No model · x', values: [3], total: 3 },
      { label: 'All others', values: [2], total: 2, tone: 'rest' },
    ]);
  });

  it('have distinct names, though values look alike', () => {
    const long = 'w'.repeat(500);
    const now = result(['a', 'b'].map((end) => series({ user: long + end }, 1)));
    const labels = toChartRows(now, null, ['user']).map(({ label }) => label);
    expect(labels).toEqual([`${'w'.repeat(80)}…`, `${'w'.repeat(80)}… (2)`]);
  });

  it('of all calls are named by what is measured', () => {
    const rows = toChartRows(result([series({}, 4)]), null, []);
    expect(toTimeSeries(rows, ['calls', 'errors']).map(({ label, total }) => [label, total])).toEqual([
      ['Calls', 4],
      ['Failed calls', 1],
    ]);
  });
});
