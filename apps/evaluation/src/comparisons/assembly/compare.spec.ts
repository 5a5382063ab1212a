import type { RunComparisonDto } from '@hone/contracts';
import { differencePlan, momentsOf, variancePlan } from '@hone/statistics';

import { compare } from './compare.js';
import { type AnOrder, anOrder, type ATrial } from './comparison-order.fixture.js';
import type { ComparisonSettings } from './comparison-order.js';

type Compared = Extract<ReturnType<typeof compare>, { comparisons: unknown }>;

/** A trial of each run for each row. @param valuesOf run -> row -> scores */
const trialsOf = (rows: number, ...runs: ((row: number) => ATrial)[]): ATrial[] =>
  runs.flatMap((of, run) =>
    Array.from({ length: rows }, (_none, row) => ({ id: `${run}-${row}`, run, row: `r${row}`, ...of(row) })),
  );

const comparisonOf = (order: AnOrder): Omit<RunComparisonDto, 'candidate'> => {
  const answer = compare(anOrder(order));
  expect(answer).toHaveProperty('comparisons');
  return (answer as Compared).comparisons[0] as Omit<RunComparisonDto, 'candidate'>;
};

describe('compare', () => {
  const trials = trialsOf(
    12,
    (row) => ({ scores: { s: row % 2, only: 1 }, latencyMs: 10 + row }),
    (row) => ({ scores: { s: 1, new: 1 }, latencyMs: 10 + row }),
  );

  it('takes the metrics that both runs have, and says which scores it does not take', () => {
    const answer = compare(anOrder({ trials })) as Compared;
    expect(answer.comparisons[0]?.metrics.map(({ metric }) => metric)).toEqual(['scores.s', 'latency_ms']);
    expect(answer.ignoredScores).toEqual(['scores.new', 'scores.only']);
    expect(answer.resamples).toBe(10_000);
  });

  it('takes those that the body names, also where only one run has them', () => {
    const { metrics } = comparisonOf({ trials, settings: { metrics: ['scores.new', 'failed'] } });
    expect(metrics.map(({ metric, pairs, verdict }) => [metric, pairs, verdict])).toEqual([
      ['scores.new', 0, 'too_few_pairs'],
      ['failed', 12, 'unclear'],
    ]);
  });

  it('says which name means nothing', () => {
    const unknown = (settings: Partial<ComparisonSettings>) => compare(anOrder({ trials, settings }));
    const known = ['scores.new', 'scores.only', 'scores.s', 'latency_ms', 'cost_usd', 'tokens', 'length', 'failed'];
    expect(unknown({ metrics: ['scores.s', 'odd'] })).toEqual({ unknown: { field: 'metrics', index: 1, known } });
    expect(unknown({ margins: { odd: 1 } })).toEqual({ unknown: { field: 'margins', index: 'odd', known } });
    expect(unknown({ truths: [{ metric: 'scores', map: null }] })).toMatchObject({ unknown: { field: 'truth' } });
    expect(unknown({ facts: ['failed'] })).toMatchObject({ unknown: { field: 'facts', index: 0 } });
    expect(unknown({ lowerIsBetter: ['scores.only'] })).toHaveProperty('comparisons');
  });

  it('takes the margin of the longest name that means a metric, and no labels of facts', () => {
    const margins = { scores: 1, 'scores.s': 2, latency_ms: 3 };
    const truths = [{ metric: 'scores.s', map: null }];
    const labels = trials.map(({ id }) => [0, id as string, 'true'] as const);
    const found = comparisonOf({ trials, labels, settings: { margins, truths } });
    expect(found.metrics.map(({ non_inferiority }) => non_inferiority?.margin)).toEqual([2, 3]);
    expect(found.metrics[0]?.difference).toMatchObject({ labels: 12, judge_only: true });
    const fact = comparisonOf({ trials, labels, settings: { margins, truths, facts: ['scores'] } });
    expect(fact.metrics[0]).toMatchObject({ source: 'check', difference: { labels: 0, judge_only: false } });
  });

  describe('says how many rows people have to label', () => {
    const difference = (row: number) => ((row * 7) % 5) - 1;
    const judged = trialsOf(
      200,
      () => ({ scores: { s: 3 } }),
      (row) => ({ scores: { s: 3 + difference(row) } }),
    );
    /** People's labels of the first rows: as the judge's verdicts, but for every ninth row. */
    const labelled = (rows: number) =>
      judged
        .filter(({ row }) => Number(row?.slice(1)) < rows)
        .map(({ id, run, row }) => {
          const at = Number(row?.slice(1));
          return [0, id as string, String(run === 0 ? 3 : 3 + difference(at) + (at % 9 === 0 ? 1 : 0))] as const;
        });
    const truths = [{ metric: 'scores.s', map: null }];
    const planOf = (labels: AnOrder['labels'], widths: Record<string, number>, settings = {}) =>
      comparisonOf({ trials: judged, ...(labels && { labels }), settings: { widths, truths, ...settings } }).metrics[0]
        ?.label_plan;

    it('by the labels that are there', () => {
      const rows = Array.from({ length: 50 }, (_none, row) => row);
      const human = rows.map((row) => difference(row) + (row % 9 === 0 ? 1 : 0));
      const { withJudge, withoutJudge } = differencePlan({ human, judge: rows.map(difference) }, 200, 0.25);
      expect(planOf(labelled(50), { scores: 0.25 })).toEqual({
        ...{ width: 0.25, with_judge: withJudge, without_judge: withoutJudge, basis: 'labels', labels: 50, pairs: 200 },
      });
      expect(withJudge as number).toBeGreaterThan(20);
      expect(withJudge as number).toBeLessThan(withoutJudge as number);
    });

    it('by the verdicts where fewer than twenty rows have labels, and never fewer than correct', () => {
      const { variance } = momentsOf(Array.from({ length: 200 }, (_none, row) => difference(row)));
      const { withoutJudge } = variancePlan(variance, 200, 0.3);
      const expected = { with_judge: withoutJudge, without_judge: withoutJudge, basis: 'verdicts', labels: 19 };
      expect(planOf(labelled(19), { 'scores.s': 0.3 })).toMatchObject(expected);
      expect(planOf([], { 'scores.s': 100 })).toMatchObject({ with_judge: 20, without_judge: 20 });
      expect(planOf([], { 'scores.s': 0.001 })).toMatchObject({ with_judge: null, without_judge: null });
    });

    it('of no fact, of nothing that does not vary, and where nobody asks', () => {
      expect(planOf([], {})).toBeNull();
      expect(planOf([], { 'scores.s': 0.3 }, { facts: ['scores.s'] })).toBeNull();
      const alike = trialsOf(
        30,
        () => ({ scores: { s: 1 } }),
        () => ({ scores: { s: 1 } }),
      );
      const widths = { 'scores.s': 0.3 };
      expect(comparisonOf({ trials: alike, settings: { widths } }).metrics[0]?.label_plan).toBeNull();
      expect(compare(anOrder({ trials: alike, settings: { widths: { latency_ms: 1 } } }))).toMatchObject({
        unknown: { field: 'widths', index: 'latency_ms' },
      });
    });
  });

  it('finds what is worse as a whole and in slices, by its sign and its adjusted p-value', () => {
    const order = {
      trials: trialsOf(
        20,
        () => ({ scores: { s: 1 } }),
        (row) => ({ scores: { s: row < 10 ? 0 : 1 } }),
      ),
      rows: Array.from({ length: 20 }, (_none, row) => [`r${row}`, row < 10, row >= 10] as const),
      settings: { slices: ['bad', 'good'] },
    };
    const found = comparisonOf(order);
    expect(found.slices.map(({ name, rows }) => [name, rows])).toEqual([
      ['bad', 10],
      ['good', 10],
    ]);
    expect(found.regressions.map(({ slice, metric }) => [slice, metric])).toEqual([
      [null, 'scores.s'],
      ['bad', 'scores.s'],
    ]);
    const lower = comparisonOf({ ...order, settings: { ...order.settings, lowerIsBetter: ['scores.s'] } });
    expect(lower.regressions).toEqual([]);
    expect(lower.metrics[0]).toMatchObject({ verdict: 'better', wins: 10, losses: 0 });
  });

  it('leaves rows of slices out that no run has', () => {
    const rows = [['gone', true] as const, ['r0', true] as const];
    expect(comparisonOf({ trials, rows, settings: { slices: ['s'] } }).slices[0]).toMatchObject({ name: 's', rows: 1 });
  });

  it('counts rows that only one run has, and why rows are no pairs', () => {
    const found = comparisonOf({
      trials: [
        ...trials,
        { row: 'a', scores: { s: 1 } },
        { row: 'b', run: 1, scores: { s: 1 } },
        ...['c', 'd'].flatMap((row) => [
          { row, scores: { s: 1 } },
          { row, run: 1, hasFailed: row === 'c', scores: {} },
        ]),
      ],
    });
    expect(found.rows).toEqual({
      ...{ paired: 14, baseline_only: 1, candidate_only: 1 },
      ...{ baseline_only_digests: ['a'], candidate_only_digests: ['b'] },
    });
    expect(found.metrics[0]).toMatchObject({ pairs: 12, left_out: { failed: 1, no_number: 1 } });
    expect(found.metrics.at(-1)).toMatchObject({ metric: 'failed', pairs: 14, left_out: { failed: 0, no_number: 0 } });
  });

  it('draws fewer samples of much data, and refuses more than is done at once', () => {
    const rows = 30_000;
    const scores = { a: 1, b: 1, c: 1 };
    const large = trialsOf(
      rows,
      () => ({ scores }),
      () => ({ scores }),
    );
    expect(compare(anOrder({ trials: large }))).toMatchObject({ resamples: Math.floor(500_000_000 / (3 * rows)) });
    const all = Array.from(
      { length: rows },
      (_none, row) => [`r${row}`, ...new Array<boolean>(20).fill(true)] as const,
    );
    const slices = Array.from({ length: 20 }, (_none, at) => `s${at}`);
    expect(compare(anOrder({ trials: large, rows: all, settings: { slices } }))).toEqual({
      ...{ tooMany: 'pairs', found: 3 * rows * 21, limit: 1_000_000 },
    });
  });

  it('has win rates of judges that compared answers with the baseline, of rows as means of their trials', () => {
    const win = (value: unknown, baseline = 'first') => ({ scores: { better: { win: value, baseline } } });
    const compared = trialsOf(
      6,
      () => ({}),
      (row) => win([1, 1, 0.5, 0, 1, 'much'][row]),
    ).concat(
      { run: 1, row: 'r1', ...win(0) },
      { run: 1, row: 'r0', counts: false, ...win(0) },
      { run: 1, row: 'r3', ...win(1, 'another run') },
      { run: 1, row: 'r4', ...win(7) },
    );
    const [found, ...others] = comparisonOf({ trials: compared }).win_rates;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ metric: 'scores.better', wins: 2, ties: 2, losses: 1 });
    // Rows 1, 0.5, 0.5, 0, 1: 0.6 ± t(0.975, 4) s / √5, within 0 to 1.
    expect(found?.win_rate).toMatchObject({ estimate: 0.6, method: 't', calls: 5, judge_only: true });
    expect(found?.win_rate.low).toBeCloseTo(0.0805747, 6);
    expect(found?.win_rate.high).toBe(1);
  });

  it('is of nothing where there is nothing', () => {
    const answer = compare(anOrder({})) as Compared;
    expect(answer.comparisons).toEqual([
      {
        rows: {
          ...{ paired: 0, baseline_only: 0, candidate_only: 0 },
          ...{ baseline_only_digests: [], candidate_only_digests: [] },
        },
        ...{ metrics: [], win_rates: [], slices: [], regressions: [] },
      },
    ]);
  });
});
