import { contentDigest, type JsonValue } from '@hone/contracts';

import type { APrediction } from '../testing/evaluation-runs.fixture.js';
import { Comparisons, metricOf } from './comparisons.fixture.js';

const row = (n: number) => ({ n, q: `q${n}` });
/** A prediction for each score; undefined: it has none. */
const scored = (...values: readonly (JsonValue | undefined)[]): APrediction[] =>
  values.map((value, n) => ({ inputs: row(n), ...(value !== undefined && { scores: { s: value } }) }));
const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_none, n) => of(n));

describe('comparisons of runs pair rows', () => {
  const comparisons = new Comparisons();
  const { compare } = comparisons;
  beforeAll(() => comparisons.start());
  beforeEach(() => comparisons.reset());
  afterAll(() => comparisons.app.close());

  it('that both have, and say which ones they do not', async () => {
    const rows = scored(...times(12, () => true));
    const ids = [await comparisons.runs.ofServer(rows.slice(0, 10)), await comparisons.runs.ofServer(rows.slice(2))];
    const found = await compare(ids, { metrics: ['scores.s'] });
    const digests = rows.map(({ inputs }) => contentDigest(inputs));
    expect(found.comparisons[0]?.rows).toEqual({
      ...{ paired: 8, baseline_only: 2, candidate_only: 2 },
      baseline_only_digests: digests.slice(0, 2).sort(),
      candidate_only_digests: digests.slice(10).sort(),
    });
    expect(metricOf(found, 'scores.s').pairs).toBe(8);
  });

  it('and count those of the dataset that a run lacks', async () => {
    const { ref, rows } = await comparisons.runs.addEvaluation('eval', times(9, row));
    const of = (refs: readonly string[]) => refs.map((inputs) => ({ inputs, scores: { s: 1 } }));
    const ids = [
      await comparisons.runs.ofSdk(of(rows), { evaluation: ref }),
      await comparisons.runs.ofSdk(of(rows.slice(3)), { evaluation: ref }),
    ];
    const found = await compare(ids);
    expect(found.runs).toMatchObject([
      { dataset_rows: 9, predicted: 9, missing: 0 },
      { dataset_rows: 9, predicted: 6, missing: 3 },
    ]);
    expect(found.comparisons[0]?.rows).toMatchObject({ paired: 6, baseline_only: 3, candidate_only: 0 });
  });

  it('across the forms in which SDKs and the server store runs', async () => {
    const { ref, rows } = await comparisons.runs.addEvaluation('eval', times(7, row));
    const sdk = await comparisons.runs.ofSdk(
      rows.map((inputs) => ({ inputs, scores: { s: 0 } })),
      { evaluation: ref },
    );
    const server = await comparisons.runs.ofServer(scored(...times(7, () => 1)), { evaluation: ref });
    expect(metricOf(await compare([sdk, server]), 'scores.s')).toMatchObject({
      pairs: 7,
      wins: 7,
      p_value: expect.closeTo(2 / 2 ** 7, 12),
    });
  });

  it('by the newest prediction of each, where the evaluation asks for one', async () => {
    const { ref } = await comparisons.runs.addEvaluation('eval', times(6, row));
    const baseline = await comparisons.runs.ofServer(scored(...times(6, () => 0)), { evaluation: ref });
    const twice = [...scored(...times(6, () => 0)), ...scored(...times(6, () => 1))];
    const candidate = await comparisons.runs.ofServer(twice, { evaluation: ref });
    const found = await compare([baseline, candidate]);
    expect(found.runs[1]).toMatchObject({ trials: 6, replaced: 6, predicted: 6 });
    expect(metricOf(found, 'scores.s')).toMatchObject({ pairs: 6, wins: 6, candidate: { estimate: 1, calls: 6 } });
  });

  it('whose trials are averaged: a row is one pair, however often it was predicted', async () => {
    const { ref } = await comparisons.runs.addEvaluation('eval', times(8, row), 3);
    const baseline = times(3, () => scored(...times(8, () => false))).flat();
    const candidate = [true, true, false].flatMap((passed) => scored(...times(8, () => passed)));
    const ids = [
      await comparisons.runs.ofServer(baseline, { evaluation: ref }),
      await comparisons.runs.ofServer(candidate, { evaluation: ref }),
    ];
    const found = await compare(ids);
    expect(found.runs[1]).toMatchObject({ trials: 24, replaced: 0 });
    const metric = metricOf(found, 'scores.s');
    expect(metric).toMatchObject({ pairs: 8, wins: 8, test: 'wilcoxon exact', candidate: { method: 't', calls: 8 } });
    expect(metric.difference.estimate).toBeCloseTo(2 / 3, 12);
  });

  it('of a dataset that has a row twice once', async () => {
    const twice = [...scored(1, 1, 1, 1, 1, 1), ...scored(0, 0, 0, 0, 0, 0)];
    const once = scored(...times(6, () => 1));
    const ids = [await comparisons.runs.ofSdk(once), await comparisons.runs.ofSdk(twice)];
    const found = await compare(ids);
    expect(metricOf(found, 'scores.s')).toMatchObject({ pairs: 6, losses: 6, candidate: { estimate: 0.5 } });
  });

  it.each(['ofSdk', 'ofServer'] as const)('without those that failed, which they count (%s)', async (form) => {
    const rows = scored(...times(10, () => 1));
    const failing = rows.map((one, n) => (n < 3 ? { ...one, exception: 'Timeout' } : one));
    const found = await compare([await comparisons.runs[form](rows), await comparisons.runs[form](failing)]);
    expect(found.runs.map(({ failed }) => failed)).toEqual([0, 3]);
    expect(found.comparisons[0]?.rows.paired).toBe(10);
    expect(metricOf(found, 'scores.s')).toMatchObject({ pairs: 7, left_out: { failed: 3, no_number: 0 } });
    expect(metricOf(found, 'latency_ms')).toMatchObject({ pairs: 7, left_out: { failed: 3 } });
    expect(metricOf(found, 'failed')).toMatchObject({
      ...{ source: 'measure', higher_is_better: false, pairs: 10, wins: 0, ties: 7, losses: 3 },
      ...{ baseline: { estimate: 0 }, candidate: { estimate: 0.3, judge_only: false }, test: 'mcnemar exact' },
    });
  });

  it('that have a number in both: text, nothing, lists and what no double holds are none', async () => {
    const odd = scored('NaN', 'Infinity', 'good', null, [1], undefined, '1', 1, 2, 3, 4, 5, 6);
    const even = scored(...times(13, (n) => n));
    for (const form of ['ofSdk', 'ofServer'] as const) {
      const ids = [await comparisons.runs[form](even), await comparisons.runs[form](odd)];
      expect(metricOf(await compare(ids), 'scores.s')).toMatchObject({
        pairs: 6,
        left_out: { failed: 0, no_number: 7 },
      });
    }
    const huge = (await comparisons.runs.ofSdk(scored(...times(7, () => 7)))) as string;
    await comparisons.app.sql(
      `UPDATE call_values SET output_json = NULL, output_text = replace(output_text, '"s":7', '"s":1e400') WHERE output_text LIKE '%"s":7%'`,
    );
    const found = await compare([huge, await comparisons.runs.ofSdk(scored(...times(7, () => 7)))]);
    expect(found.comparisons[0]?.metrics.map(({ metric }) => metric)).not.toContain('scores.s');
    expect(found.ignored_scores).toEqual(['scores.s']);
  });

  it('of booleans and of numbers alike', async () => {
    const booleans = await comparisons.runs.ofServer(scored(true, true, false, false, true, false, true));
    const rates = await comparisons.runs.ofServer(scored(1, 0, 0, 0, 1, 0, 1));
    const numbers = await comparisons.runs.ofServer(scored(0.5, 0, 0, 0, 1, 0, 2));
    const found = await compare([booleans, rates, numbers], { metrics: ['scores.s'] });
    expect(metricOf(found, 'scores.s', 0)).toMatchObject({ test: 'mcnemar exact', losses: 1, ties: 6, wins: 0 });
    expect(metricOf(found, 'scores.s', 1)).toMatchObject({ test: 'wilcoxon exact', losses: 2, ties: 4, wins: 1 });
  });

  it('of which there may be one, or none: means stay, tests do not', async () => {
    const one = [await comparisons.runs.ofServer(scored(1)), await comparisons.runs.ofServer(scored(3))];
    expect(metricOf(await compare(one), 'scores.s')).toEqual({
      ...{ metric: 'scores.s', source: 'score', unit: null, higher_is_better: true, pairs: 1 },
      left_out: { failed: 0, no_number: 0 },
      baseline: { estimate: 1, low: null, high: null, method: null, labels: 0, calls: 1, judge_only: true },
      candidate: { estimate: 3, low: null, high: null, method: null, labels: 0, calls: 1, judge_only: true },
      difference: { estimate: 2, low: null, high: null, method: null, labels: 0, calls: 1, judge_only: true },
      ...{ wins: 1, ties: 0, losses: 0, test: null, p_value: null, p_adjusted: null, t_test_p_value: null },
      ...{ effect_size: null, non_inferiority: null, label_plan: null, verdict: 'too_few_pairs' },
    });
    const other = await comparisons.runs.ofServer([{ inputs: { other: 1 }, scores: { s: 1 } }]);
    const none = await compare([one[0] as string, other], { metrics: ['scores.s'] });
    expect(metricOf(none, 'scores.s')).toMatchObject({
      ...{ pairs: 0, baseline: { estimate: null, calls: 0 }, difference: { estimate: null }, verdict: 'too_few_pairs' },
    });
    const empty = [await comparisons.runs.ofServer([]), await comparisons.runs.ofSdk([])];
    expect((await compare(empty)).comparisons[0]).toMatchObject({ metrics: [], rows: { paired: 0 }, regressions: [] });
  });

  it('that all tie, as those of identical runs do', async () => {
    const rows = scored(...times(8, (n) => n / 4));
    const ids = [
      await comparisons.runs.ofSdk(rows),
      await comparisons.runs.ofSdk(rows),
      await comparisons.runs.ofSdk(rows),
    ];
    const found = await compare(ids, { margins: { 'scores.s': 0.1, latency_ms: 0 } });
    for (const candidate of [0, 1]) {
      expect(metricOf(found, 'scores.s', candidate)).toMatchObject({
        ...{ wins: 0, ties: 8, losses: 0, p_value: 1, p_adjusted: 1, t_test_p_value: 1, effect_size: null },
        difference: { estimate: 0, low: 0, high: 0, method: 'constant' },
        ...{ verdict: 'unclear', non_inferiority: { margin: 0.1, bound: 0, p_value: 0, is_non_inferior: true } },
      });
      expect(metricOf(found, 'latency_ms', candidate).non_inferiority).toMatchObject({ is_non_inferior: false });
      expect(found.comparisons[candidate]?.regressions).toEqual([]);
    }
  });

  it('and adjust over all metrics and candidates', async () => {
    const baseline = times(20, (n) => ({ inputs: row(n), scores: { a: 0, b: n % 2 } }));
    const better = times(20, (n) => ({ inputs: row(n), scores: { a: n < 6 ? 1 : 0, b: n % 2 } }));
    const worse = times(20, (n) => ({ inputs: row(n), scores: { a: 0, b: 0 } }));
    const ids: string[] = [];
    for (const predictions of [baseline, better, worse]) ids.push(await comparisons.runs.ofServer(predictions));
    const metrics = ['scores.a', 'scores.b'];
    const alone = metricOf(await compare(ids.slice(0, 2), { metrics: ['scores.a'] }), 'scores.a');
    expect(alone).toMatchObject({
      p_value: expect.closeTo(2 / 2 ** 6, 12),
      p_adjusted: expect.closeTo(2 / 2 ** 6, 12),
      verdict: 'better',
    });
    const found = await compare(ids, { metrics, lower_is_better: ['scores.a'] });
    // Of four: the smallest is multiplied by four, the next by three.
    expect(metricOf(found, 'scores.b', 1)).toMatchObject({
      p_value: expect.closeTo(2 / 2 ** 10, 12),
      p_adjusted: expect.closeTo(8 / 2 ** 10, 12),
      verdict: 'worse',
    });
    expect(metricOf(found, 'scores.a', 0)).toMatchObject({
      p_adjusted: expect.closeTo(6 / 2 ** 6, 12),
      losses: 6,
      verdict: 'unclear',
    });
    expect(found.comparisons.map(({ regressions }) => regressions)).toEqual([
      [],
      [{ slice: null, metric: 'scores.b', difference: -0.5, p_adjusted: expect.closeTo(8 / 2 ** 10, 12) }],
    ]);
  });
});
