import { parseJson } from '@hone/client';

import { type Chart, problemOf, readChart, titleOf, toChartValue } from './chart.js';
import { readDashboard, toStored, withMoved, withoutChart, withReplaced, withWidth } from './dashboard.js';

const CHART: Chart = {
  ...{ title: 'Spend', kind: 'bars', measures: ['cost'], groups: ['model'], bucketSeconds: 86_400 },
  ...{ filter: 'op_name = "answer" or status = error', width: 2 },
};

describe('a chart of a dashboard', () => {
  it('is read as it was stored', () => {
    expect(readChart(toChartValue(CHART))).toEqual({ chart: CHART, problems: [] });
    expect(toChartValue(CHART)).toMatchObject({
      group_by: ['model'],
      query: { $expr: { $or: [expect.anything(), expect.anything()] } },
    });
    expect(toChartValue({ ...CHART, filter: '' })).toMatchObject({ filter: '', query: null });
  });

  it('has standard members where a script leaves them out', () => {
    const chart = {
      title: '',
      kind: 'line',
      measures: ['calls'],
      groups: [],
      bucketSeconds: null,
      filter: '',
      width: 1,
    };
    expect(readChart({ measures: ['calls'] })).toEqual({ chart, problems: [] });
  });

  it('takes the condition of a script where there is no filter', () => {
    const query = { $expr: { $eq: [{ $getField: 'summary.hone.status' }, { $literal: 'error' }] } };
    expect(readChart({ measures: ['calls'], query }).chart?.filter).toBe('status = "error"');
  });

  it('reads numbers that are written with a point', () => {
    const value = parseJson('{"measures": ["calls"], "bucket_seconds": 3600.0, "width": 2.0}');
    expect(readChart(value).chart).toMatchObject({ bucketSeconds: 3_600, width: 2 });
  });

  it.each([
    [null],
    [7],
    [[]],
    [{}],
    [{ measures: 'calls' }],
    [{ measures: ['toString', '__proto__'] }],
    [{ measures: ['calls'], filter: 7 }],
    [{ measures: ['calls'], filter: 'op_name =' }],
    [{ measures: ['calls'], query: { $expr: { $never: 1 } } }],
    [{ measures: ['calls'], group_by: ['scorer'] }],
  ])('is none of %j, and says why', (value) => {
    const { chart, problems } = readChart(value);
    expect(chart).toBeNull();
    expect(problems.length).toBeGreaterThan(0);
  });

  it('shows what can be shown', () => {
    const { chart, problems } = readChart({
      ...{ title: 12, kind: 'bars', measures: ['p95_latency_ms', 'calls', 'calls'], bucket_seconds: 0.5 },
      ...{ group_by: ['model', 'op', 'user'], width: 7 },
    });
    expect(chart).toMatchObject({
      title: '',
      kind: 'line',
      measures: ['p95_latency_ms'],
      groups: ['model', 'op'],
      width: 1,
    });
    expect(problems).toHaveLength(4);
  });

  it('is called after what it shows, where it has no title', () => {
    expect(titleOf({ ...CHART, title: '' })).toBe('Cost by model');
    expect(titleOf({ ...CHART, title: '', measures: ['calls', 'errors'], groups: [] })).toBe('Calls, Failed calls');
  });

  it.each([
    [{ measures: [] }, 'at least'],
    [{ measures: ['calls', 'cost'] }, 'no axis in common'],
    [{ measures: ['p95_latency_ms'] }, 'does not add up'],
    [{ measures: ['calls'], groups: ['scorer'] }, 'By scorer'],
    [{ measures: ['calls', 'cost'], kind: 'table' }, null],
    [{ measures: ['p95_latency_ms', 'avg_latency_ms'], kind: 'line' }, null],
  ] as const)('with %j says what it cannot be: %s', (changes, problem) => {
    const found = problemOf({ ...CHART, ...changes });
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });
});

describe('a dashboard', () => {
  const value = { name: 'x', charts: [{ title: 'a', own: 1 }, 'odd', { title: 'c' }], own: 2 };

  it('keeps what the console does not know', () => {
    expect(withMoved(value, 0, 2)).toEqual({ ...value, charts: ['odd', { title: 'c' }, { title: 'a', own: 1 }] });
    expect(withWidth(value, 0, 2)).toEqual({
      ...value,
      charts: [{ title: 'a', own: 1, width: 2 }, 'odd', { title: 'c' }],
    });
    expect(withWidth(value, 1, 2)).toEqual(value);
    expect(withoutChart(value, 1)).toEqual({ ...value, charts: [{ title: 'a', own: 1 }, { title: 'c' }] });
    expect(withReplaced(value, 0, CHART)).toMatchObject({ own: 2, charts: [{ own: 1, title: 'Spend' }, 'odd', {}] });
    expect(toStored(value, 'd1')).toMatchObject({ _class_name: 'Dashboard', own: 2, based_on: 'd1' });
  });

  it.each([[null], [[]], ['x'], [{ charts: {} }], [{ time_span: 5 }]])('says what is wrong with %j', (val) => {
    const { charts, spanName, isCompared, problems } = readDashboard(val);
    expect({ charts, spanName, isCompared }).toEqual({ charts: [], spanName: '24h', isCompared: false });
    expect(problems).toHaveLength(1);
  });

  it('says how many charts it does not show', () => {
    expect(readDashboard({ charts: Array(30).fill({}) }).problems).toEqual([
      'Of its 30 charts the first 24 are shown.',
    ]);
  });
});
