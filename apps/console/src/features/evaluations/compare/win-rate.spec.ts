import { aboveHalf, changeOfRate, rateInWords } from './win-rate.js';

const rate = (estimate: number, low: number | null, high: number | null) => ({
  ...{ estimate, low, high, method: low === null ? null : ('t' as const), labels: 0, calls: 24, judge_only: true },
});

it.each([
  [rate(0.6, 0.52, 0.68), 'better', 'Win rate 0.6, interval 0.52 to 0.68, which leaves out 0.5'],
  [rate(0.4, 0.32, 0.48), 'worse', 'Win rate 0.4, interval 0.32 to 0.48, which leaves out 0.5'],
  [rate(0.6, 0.5, 0.7), 'same', 'Win rate 0.6, interval 0.5 to 0.7, which holds 0.5'],
  [rate(1, null, null), 'same', 'Win rate 1, too few rows for an interval'],
] as const)('%j is %s than the baseline', (figure, change, words) => {
  expect(changeOfRate(figure)).toBe(change);
  expect(rateInWords(figure)).toBe(words);
});

it('is drawn around a half', () => {
  const { estimate, low, high, calls } = aboveHalf(rate(0.75, 0.5, 1));
  expect([estimate, low, high, calls]).toEqual([0.25, 0, 0.5, 24]);
});
