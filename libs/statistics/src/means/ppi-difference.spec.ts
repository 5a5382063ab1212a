import { momentsOf, NO_VALUES } from '../data/moments.js';
import { Xoshiro128 } from '../random/xoshiro128.js';
import { ppiDifference } from './ppi-difference.js';
import { ppiMean } from './ppi-mean.js';

const HUMAN = [1, 0, -1, 1, 0, 1, 0, 0, 1, -1];
const JUDGE = [1, 0, 0, 1, 0, 1, -1, 0, 1, 0];
const OTHERS = momentsOf([1, 1, 0, 0, -1, 0, 1, 0]);

describe('ppiDifference', () => {
  it('is the estimate of PPI++ with the interval of t', () => {
    const found = ppiDifference({ human: HUMAN, judge: JUDGE }, OTHERS);
    const { method: _same, ...mean } = ppiMean({ human: HUMAN, judge: JUDGE }, OTHERS);
    expect(found).toMatchObject(mean);
    expect(found.method).toBe('ppi++ t');
  });

  it('takes differences of 0 and 1 for no rates: the interval is not clipped', () => {
    const [human, judge] = [HUMAN.map(Math.abs), JUDGE.map(Math.abs)];
    const found = ppiDifference({ human, judge }, momentsOf([0, 0, 1, 0, 0]));
    expect(ppiMean({ human, judge }, momentsOf([0, 0, 1, 0, 0])).method).toBe('ppi++ score');
    expect(found.high - found.estimate).toBeCloseTo(found.estimate - found.low, 14);
    const nearNone = ppiDifference({ human: [0, 0, 0, 0, 0, 1], judge: [0, 0, 0, 0, 0, 0] }, NO_VALUES);
    expect(nearNone.low).toBeLessThan(0);
  });

  it('is that of the labels alone where there are no others', () => {
    const { estimate, standardError, lambda } = ppiDifference({ human: HUMAN, judge: JUDGE }, NO_VALUES);
    const { mean, variance, count } = momentsOf(HUMAN);
    expect([estimate, standardError, lambda]).toEqual([mean, Math.sqrt(variance / count), 0]);
  });

  it('has a p-value that agrees with its interval', () => {
    const { low, high, pValue } = ppiDifference({ human: HUMAN, judge: JUDGE }, OTHERS, 0.9);
    expect(pValue < 0.1).toBe(low > 0 || high < 0);
    const { pValue: same } = ppiDifference({ human: [0, 0, 0], judge: [0, 0, 0] }, NO_VALUES);
    expect(same).toBe(1);
    expect(ppiDifference({ human: [1, 1, 1], judge: [0, 0, 0] }, NO_VALUES).pValue).toBe(0);
  });

  it('holds the true difference about as often as it says, whatever the judge', () => {
    const random = new Xoshiro128(11);
    const draw = (chance: number): number => (random.fraction() < chance ? 1 : 0);
    let held = 0;
    const samples = 2_000;
    for (let sample = 0; sample < samples; sample++) {
      const rows = Array.from({ length: 300 }, () => {
        const [baseline, candidate] = [draw(0.5), draw(0.6)];
        // A judge that passes a third of what fails in the candidate alone.
        const judged = [draw(baseline ? 0.9 : 0.1), draw(candidate ? 0.95 : 1 / 3)] as const;
        return { human: candidate - baseline, judge: judged[1] - judged[0] };
      });
      const [labelled, others] = [rows.slice(0, 80), rows.slice(80)];
      const pairs = { human: labelled.map(({ human }) => human), judge: labelled.map(({ judge }) => judge) };
      const { low, high } = ppiDifference(pairs, momentsOf(others.map(({ judge }) => judge)));
      if (low <= 0.1 && high >= 0.1) held++;
    }
    // Three standard errors of a share of 95 %.
    expect(Math.abs(held / samples - 0.95)).toBeLessThan(0.015);
  });

  it('refuses what is no list of pairs', () => {
    expect(() => ppiDifference({ human: [1], judge: [1] }, OTHERS)).toThrow(RangeError);
    expect(() => ppiDifference({ human: [1, 0], judge: [1] }, OTHERS)).toThrow(RangeError);
    expect(() => ppiDifference({ human: [1, Number.NaN], judge: [1, 0] }, OTHERS)).toThrow(RangeError);
    expect(() => ppiDifference({ human: [1, 0], judge: [1, 0] }, OTHERS, 1)).toThrow(RangeError);
  });
});
