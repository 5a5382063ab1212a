import { momentsOf } from '../data/moments.js';
import { studentTQuantile } from '../distributions/student-t.js';
import { ppiDifference } from '../means/ppi-difference.js';
import { compareTable, MIN_PAIRS, type TableMetric } from './compare-table.js';
import { holmAdjust } from './holm.js';

const OPTIONS = { resamples: 500 };
const PASSED: TableMetric = {
  name: 'passed',
  values: [
    [0, 0, 0, 0, 0, 0, 0, 1, 1, null],
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [0, 0, 0, 0, 0, 0, 0, 1, null, 1],
  ],
  labels: null,
  higherIsBetter: true,
  margin: null,
};
const LATENCY: TableMetric = {
  name: 'latency',
  values: [
    [10, 12, 14, 16, 18, 20, 22, 24, 26, 28],
    [11, 12, 15, 15, 19, 22, 22, 27, 25, 30],
    [null, null, null, null, null, 1, 2, 3, 4, 5],
  ],
  labels: null,
  higherIsBetter: false,
  margin: 3,
};

describe('compareTable', () => {
  it('compares each candidate with the first run over the rows that both have', () => {
    const found = compareTable([PASSED, LATENCY], OPTIONS);
    expect(found.map(({ metric, run, baseline }) => [metric, run, baseline.length])).toEqual([
      ['passed', 1, 9],
      ['latency', 1, 10],
      ['passed', 2, 8],
      ['latency', 2, 5],
    ]);
    expect(found[0]?.comparison).toMatchObject({ test: 'mcnemar exact', wins: 7, ties: 2 });
    expect(found[0]?.comparison?.pValue).toBeCloseTo(2 / 2 ** 7, 14);
    expect(found[1]?.comparison).toMatchObject({ test: 'wilcoxon exact', wins: 2, losses: 6, ties: 2 });
    expect(found[2]?.comparison).toMatchObject({ pValue: 1, ties: 8, effectSize: null });
  });

  it('adjusts p-values over metrics and candidates', () => {
    const found = compareTable([PASSED, LATENCY], OPTIONS);
    const tested = found.flatMap(({ comparison }) => comparison?.pValue ?? []);
    expect(tested).toHaveLength(3);
    expect(found.flatMap(({ adjustedPValue }) => adjustedPValue ?? [])).toEqual(holmAdjust(tested));
  });

  it('tests nothing of fewer pairs than could tell a difference', () => {
    const few = compareTable([LATENCY], OPTIONS)[1];
    expect(few?.baseline.length).toBeLessThan(MIN_PAIRS);
    expect(few).toMatchObject({
      comparison: null,
      corrected: null,
      pValue: null,
      adjustedPValue: null,
      nonInferiority: null,
    });
    expect(few?.candidate).toEqual([1, 2, 3, 4, 5]);
  });

  it('tests non-inferiority where there is a margin', () => {
    const [passed, latency] = compareTable([PASSED, LATENCY], OPTIONS);
    expect(passed?.nonInferiority).toBeNull();
    expect(latency?.nonInferiority).toMatchObject({ estimate: 0.8, margin: 3, isNonInferior: true });
  });

  it('corrects the difference where enough rows have labels in both runs, and tests that', () => {
    const rows = 60;
    const judge = [0, 1].map((run) => Array.from({ length: rows }, (_none, at) => ((at * 7 + run) % 3 === 0 ? 0 : 1)));
    const people = judge.map((of, run) => of.map((value, at) => (at % 2 ? null : at % 10 ? value : run)));
    const found = compareTable([{ ...PASSED, values: judge, labels: people }], OPTIONS)[0];
    const labelled = Array.from({ length: rows / 2 }, (_none, at) => 2 * at);
    const differences = (of: readonly (readonly (number | null)[])[], at: readonly number[]) =>
      at.map((row) => (of[1]?.[row] as number) - (of[0]?.[row] as number));
    const others = differences(
      judge,
      labelled.map((at) => at + 1),
    );
    expect(found?.corrected).toEqual(
      ppiDifference({ human: differences(people, labelled), judge: differences(judge, labelled) }, momentsOf(others)),
    );
    expect(found?.corrected).toMatchObject({ labels: 30, calls: 60, judgeOnly: false });
    expect(found?.pValue).toBe(found?.corrected?.pValue);
    expect(found?.pValue).not.toBe(found?.comparison?.pValue);
    const tested = compareTable([{ ...PASSED, values: judge, labels: people, margin: 0.2 }], OPTIONS)[0];
    const { estimate = 0, standardError = 0 } = tested?.corrected ?? {};
    expect(tested?.nonInferiority).toMatchObject({ method: 'ppi++ t', estimate, margin: 0.2 });
    expect(tested?.nonInferiority?.bound).toBeCloseTo(estimate - studentTQuantile(0.95, 29) * standardError, 14);
    expect(tested?.nonInferiority?.isNonInferior).toBe((tested?.nonInferiority?.pValue as number) < 0.05);
    const few = people.map((of) => of.map((value, at) => (at < 38 ? value : null)));
    expect(compareTable([{ ...PASSED, values: judge, labels: few }], OPTIONS)[0]).toMatchObject({ corrected: null });
  });

  it('is empty of no metrics and of one run, and refuses runs of unequal length', () => {
    expect(compareTable([])).toEqual([]);
    expect(compareTable([{ ...PASSED, values: [[1]] }])).toEqual([]);
    expect(() => compareTable([{ ...PASSED, values: [[1], [1, 2]] }])).toThrow(
      new RangeError('runs must have as many rows, got 1 and 2'),
    );
  });
});
