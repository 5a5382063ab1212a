import type { CallChartsResultDto, ChartSeriesDto } from '@hone/client';

import { parseQuery } from '../query/parse.js';
import { linkOfKey } from './chart-links.js';
import { toBars, toChartRows, toLines } from './chart-rows.js';

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
    expect(toLines(rows, ['calls'])).toEqual([
      { label: 'm · ask', values: [12], total: 12, change: { text: '+20 %' }, before: '10' },
      { label: 'No model · x', values: [3], total: 3 },
      { label: 'All others', values: [2], total: 2, tone: 'rest' },
    ]);
  });

  it('lead to where their calls are listed, but for the rest', () => {
    const rows = toChartRows(result([series({ model: 'm' }, 4)], series({}, 2)), null, ['model']);
    const lines = toLines(rows, ['calls'], ({ key }, measure) => key && `${measure}?model=${key['model']}`);
    expect(lines.map(({ label, to }) => [label, to])).toEqual([
      ['m', 'calls?model=m'],
      ['All others', undefined],
    ]);
  });

  it('of what is left beside a part leads to no call of the part', () => {
    const rows = toChartRows(result([series({ model: 'm' }, 4)]), null, ['model']);
    const [start, end] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 0, 16)];
    const span = { start, end, seconds: 3_600, previousStart: 2 * start - end };
    const bars = toBars(
      rows,
      ['calls', 'errors'],
      ({ key }, ...about) => key && linkOfKey(key, 'id = 1', span, ...about),
    );
    const conditions = bars.map(({ label, to }) => [label, new URLSearchParams(to).get('q')?.split(' and ').slice(2)]);
    expect(conditions).toEqual([
      ['m, Calls that did not fail', ['(id = 1)', 'model = "m"', 'not status = error']],
      ['m, Failed calls', ['(id = 1)', 'model = "m"', 'status = error']],
    ]);
    expect(bars.map(({ to }) => parseQuery(new URLSearchParams(to).get('q') ?? '')?.kind)).toEqual(['and', 'and']);
  });

  it('have distinct names, though values look alike', () => {
    const long = 'w'.repeat(500);
    const now = result(['a', 'b'].map((end) => series({ user: long + end }, 1)));
    const labels = toChartRows(now, null, ['user']).map(({ label }) => label);
    expect(labels).toEqual([`${'w'.repeat(80)}…`, `${'w'.repeat(80)}… (2)`]);
  });

  it('of all calls are named by what is measured', () => {
    const rows = toChartRows(result([series({}, 4)]), null, []);
    expect(toLines(rows, ['calls', 'errors']).map(({ label, total }) => [label, total])).toEqual([
      ['Calls', 4],
      ['Failed calls', 1],
    ]);
  });

  it('count what failed once in bars, among the calls that it is a part of', () => {
    const before = result([series({}, 6)]);
    const rows = toChartRows(result([series({}, 4)]), before, []);
    expect(toBars(rows, ['calls', 'errors'])).toEqual([
      { label: 'Calls that did not fail', values: [3], total: 3, change: { text: '−40 %' }, before: '5' },
      { label: 'Failed calls', values: [1], total: 1, change: { text: '±0 %' }, before: '1' },
    ]);
    expect(toBars(rows, ['calls'])).toMatchObject([{ label: 'Calls', values: [4] }]);
    const others = { key: null, label: 'All others', series: series({}, 5), before: null };
    expect(toBars([...rows, others], ['errors', 'calls']).map(({ label, values }) => [label, ...values])).toEqual([
      ['All, Failed calls', 1],
      ['All, Calls that did not fail', 3],
      ['All others, Failed calls', 1],
      ['All others, Calls that did not fail', 4],
    ]);
  });

  it('count tokens once in bars, whichever parts of them are shown', () => {
    const counts = { total_tokens: 100, prompt_tokens: 70, completion_tokens: 30, cached_tokens: 20 };
    const values = { ...counts, reasoning_tokens: null, cost: 1 };
    const all = {
      key: {},
      totals: values,
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value, null]])),
    };
    const rows = toChartRows(result([all as never]), null, []);
    const bars = (...measures: (keyof typeof values)[]) => toBars(rows, measures).map(({ values: [first] }) => first);
    expect(bars('total_tokens', 'prompt_tokens', 'completion_tokens')).toEqual([0, 70, 30]);
    // Of the nearest whole that is shown.
    expect(bars('total_tokens', 'cached_tokens')).toEqual([80, 20]);
    expect(bars('total_tokens', 'prompt_tokens', 'cached_tokens')).toEqual([30, 50, 20]);
    expect(bars('completion_tokens', 'reasoning_tokens')).toEqual([30, null]);
    expect(toBars(rows, ['total_tokens', 'cached_tokens']).map((one) => one.values[1])).toEqual([null, null]);
  });
});
