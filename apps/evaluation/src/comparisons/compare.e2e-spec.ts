import { comparePairs, holmAdjust, nonInferiority } from '@hone/statistics';

import type { APrediction } from '../testing/evaluation-runs.fixture.js';
import { Comparisons, metricOf } from './comparisons.fixture.js';

/** Ten rows: passes of the baseline and of the candidate, and grades. */
const PASSES = [
  [0, 0, 0, 0, 0, 0, 0, 1, 1, 1],
  [1, 1, 1, 1, 1, 1, 1, 0, 1, 1],
] as const;
const GRADES = [
  [1, 2, 3, 4, 5, 1, 2, 3, 4, 5],
  [2, 3, 4, 5, 5, 3, 4, 3, 5, 5],
] as const;
const LATENCIES = [
  [100, 110, 120, 130, 140, 150, 160, 170, 180, 190],
  [105, 108, 133, 131, 152, 149, 171, 166, 187, 201],
] as const;

const rowsOf = (run: 0 | 1): APrediction[] =>
  PASSES[run].map((passed, at) => ({
    inputs: { q: `q${at}`, language: at % 2 ? 'de' : 'en' },
    output: 'x'.repeat(10 + run * at),
    scores: { exact: passed === 1, grade: { points: GRADES[run][at] as number, reason: 'so' } },
    latencyMs: LATENCIES[run][at] as number,
    usage: { 'gpt-4o': { requests: 1, prompt_tokens: 100, completion_tokens: 10 + at * (run + 1) } },
  }));

describe('POST /evaluation/compare', () => {
  const comparisons = new Comparisons();
  const { compare } = comparisons;
  beforeAll(() => comparisons.start());
  beforeEach(() => comparisons.reset());
  afterAll(() => comparisons.app.close());

  describe.each(['ofSdk', 'ofServer'] as const)('of runs in the form %s', (form) => {
    it('answers the figures of the same table', async () => {
      const ids = [await comparisons.runs[form](rowsOf(0)), await comparisons.runs[form](rowsOf(1))];
      const found = await compare(ids, { margins: { latency_ms: 20 }, seed: 7 });
      expect(found.runs).toMatchObject(
        ids.map((id) => ({ id, predicted: 10, failed: 0, trials: 10, replaced: 0, dataset_rows: null, missing: null })),
      );
      expect(found.comparisons[0]?.rows).toEqual({
        ...{ paired: 10, baseline_only: 0, candidate_only: 0, baseline_only_digests: [], candidate_only_digests: [] },
      });
      expect(found.comparisons[0]?.metrics.map(({ metric }) => metric)).toEqual([
        ...['scores.exact', 'scores.grade.points', 'latency_ms', 'cost_usd', 'tokens', 'length'],
      ]);
      expect(found.ignored_scores).toEqual(['scores.grade.reason']);
      const options = { seed: 7, resamples: 10_000 };
      for (const [name, baseline, candidate, higherIsBetter] of [
        ['scores.exact', ...PASSES, true],
        ['scores.grade.points', ...GRADES, true],
        ['latency_ms', ...LATENCIES, false],
      ] as const) {
        const metric = metricOf(found, name);
        const expected = comparePairs(baseline, candidate, { ...options, higherIsBetter });
        expect(metric).toMatchObject({
          ...{
            pairs: 10,
            test: expected.test,
            higher_is_better: higherIsBetter,
            left_out: { failed: 0, no_number: 0 },
          },
          ...{ wins: expected.wins, ties: expected.ties, losses: expected.losses },
        });
        expect(metric.p_value).toBeCloseTo(expected.pValue, 12);
        expect(metric.difference.estimate).toBeCloseTo(expected.difference.estimate, 9);
        expect(metric.difference.low).toBeCloseTo(expected.difference.low, 9);
        expect(metric.difference.high).toBeCloseTo(expected.difference.high, 9);
        expect(metric.baseline.estimate).toBeCloseTo(expected.baselineMean, 9);
        expect(metric.candidate.estimate).toBeCloseTo(expected.candidateMean, 9);
      }
      const { metrics = [] } = found.comparisons[0] ?? {};
      const adjusted = holmAdjust(metrics.map(({ p_value }) => p_value as number));
      expect(metrics.map(({ p_adjusted }) => p_adjusted)).toEqual(adjusted);
      const differences = LATENCIES[1].map((value, at) => value - (LATENCIES[0][at] as number));
      const margin = nonInferiority(differences, 20, false);
      expect(metricOf(found, 'latency_ms').non_inferiority?.bound).toBeCloseTo(margin.bound, 6);
      expect(metricOf(found, 'latency_ms').non_inferiority?.is_non_inferior).toBe(margin.isNonInferior);
      expect(metricOf(found, 'scores.exact').non_inferiority).toBeNull();
    });

    it('measures length, tokens and cost of the model, not of its judges', async () => {
      const found = await compare([await comparisons.runs[form](rowsOf(0)), await comparisons.runs[form](rowsOf(1))]);
      expect(metricOf(found, 'length')).toMatchObject({
        ...{ source: 'measure', unit: 'characters', baseline: { estimate: 10 }, candidate: { estimate: 14.5 } },
      });
      expect(metricOf(found, 'tokens')).toMatchObject({ baseline: { estimate: 114.5 }, candidate: { estimate: 119 } });
      const { baseline, candidate, unit } = metricOf(found, 'cost_usd');
      expect(unit).toBe('usd');
      expect((candidate.estimate as number) - (baseline.estimate as number)).toBeCloseTo(4.5 * 10e-6, 12);
    });
  });
});
