import type { EvalResultRowDto } from '@hone/client';
import { parseJson } from '@hone/client';

import { metricsOf } from './metrics.js';
import { hasStatus, isDifferent, LATENCY, meanOf, metricNames, toResultRow } from './results.js';

const trial = (scores: object, output: unknown = 'x', latency_ms: number | null = 10) => ({
  ...{ scores, output, latency_ms, counts: true, exception: null },
});
const statusOf = (trials: readonly { exception: string | null }[]) =>
  trials.length === 0 ? 'missing' : trials.some(({ exception }) => exception !== null) ? 'failed' : 'predicted';
const row = (runs: Record<string, readonly object[]>) =>
  toResultRow({
    row_digest: 'r',
    inputs: {},
    evaluations: Object.entries(runs).map(([evaluation_run_id, trials]) => ({
      ...{ evaluation_run_id, trials, status: statusOf(trials as readonly { exception: string | null }[]) },
    })),
  } as unknown as EvalResultRowDto);

describe('the metrics of scores', () => {
  it('are the numbers and truths in them, by dotted names', () => {
    const scores = parseJson(
      '{"exact": true, "judge": {"f1": 0.5, "why": "x"}, "n": [1], "none": null, "__proto__": 2}',
    );
    expect([...metricsOf(scores)]).toEqual([
      ['exact', 1],
      ['judge.f1', 0.5],
      ['__proto__', 2],
    ]);
  });

  it('are none of texts', () => {
    expect(metricsOf('good').size).toBe(0);
  });
});

describe('results of runs', () => {
  const rows = [
    row({ a: [trial({ exact: true }), trial({ exact: false })], b: [trial({ exact: true })] }),
    row({ a: [trial({ exact: false })], b: [trial({ exact: true })] }),
    row({ a: [trial({ exact: true })] }),
  ];

  it('count a row once, by the mean of its trials', () => {
    expect(meanOf(rows, 'a', 'exact')).toMatchObject({ mean: 0.5, count: 3 });
    expect(meanOf(rows, 'b', 'exact')).toMatchObject({ mean: 1, low: 1, high: 1, count: 2 });
    expect(meanOf(rows, 'c', 'exact')).toBeNull();
  });

  it('leave out of means what failed, was replaced or is missing', () => {
    const failed = { ...trial({ exact: false }), exception: 'no' };
    const replaced = { ...trial({ exact: false }), counts: false };
    const some = [row({ a: [replaced, trial({ exact: true })] }), row({ a: [failed] }), row({ a: [] })];
    expect(meanOf(some, 'a', 'exact')).toMatchObject({ mean: 1, count: 1 });
    expect(meanOf(some, 'a', LATENCY)).toMatchObject({ count: 1 });
    const having = (status: string) => some.map((one) => hasStatus(one, ['a'], status));
    expect(having('failed')).toEqual([false, true, false]);
    expect(having('missing')).toEqual([false, false, true]);
    expect(having('')).toEqual([true, true, true]);
  });

  it('name their metrics, latency last', () => {
    expect(metricNames([row({ a: [trial({ zeta: 1, alpha: 2 })] })])).toEqual(['alpha', 'zeta', LATENCY]);
  });

  it('differ where scores do, where a run has no row, and without scores where outputs do', () => {
    const runs = ['a', 'b'];
    expect(rows.map((one) => isDifferent(one, runs, ''))).toEqual([true, true, true]);
    const same = row({ a: [trial({ s: 1 }, 'x', 1)], b: [trial({ s: 1 }, 'y', 2)] });
    expect([isDifferent(same, runs, ''), isDifferent(same, runs, 's'), isDifferent(same, runs, LATENCY)]).toEqual([
      ...[false, false, true],
    ]);
    expect(isDifferent(row({ a: [trial({}, 'x')], b: [trial({}, 'y')] }), runs, '')).toBe(true);
  });
});
