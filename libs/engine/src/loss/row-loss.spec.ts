import { someNumbers } from '../autodiff/gradient-check.fixture.js';
import { CISPO, tinyRow } from '../train/tiny-decoder.fixture.js';
import type { LossSequence } from './loss-sequence.js';
import type { LossSettings, RlLoss } from './loss-settings.js';
import { plainLoss } from './plain-loss.fixture.js';
import { rowLoss } from './row-loss.js';

const PPO: RlLoss = { ...CISPO, lossFn: 'ppo', epsilon: 0.2, epsilonHigh: 0.3 };
const LEVELS = ['token', 'sequence', 'average', 'geometric_average'] as const;
const VARIATIONS: Partial<RlLoss>[] = [
  {},
  { tau: 0.3 },
  { truncation: 1.1 },
  { maxRatio: 1.05 },
  { maskOutsideClip: true, epsilon: 0.5, epsilonHigh: 0.9 },
  { tau: 0.1, truncation: 1.5, maxRatio: 2, maskOutsideClip: true, epsilon: 0.9, epsilonHigh: 3 },
];
const CASES: [string, LossSettings][] = [
  ['cross entropy', { kind: 'sft' }],
  ...[CISPO, PPO].flatMap((base) =>
    LEVELS.flatMap((level) =>
      VARIATIONS.map((more): [string, LossSettings] => [
        `${base.lossFn} by ${level} with ${JSON.stringify(more)}`,
        { ...base, level, ...more },
      ]),
    ),
  ),
];

const ROW: LossSequence[] = tinyRow().map(({ trained, weight, old, advantage, drift }, index) => ({
  lp: someNumbers(trained.length, 70 + index).map((value) => -2.3 + value / 2),
  weight,
  old: old ?? [],
  advantage: advantage ?? [],
  drift: drift ?? [],
}));

/** The loss as the formulas write it, with the live log-probabilities apart from the frozen ones. */
const lossAt = (settings: LossSettings, live: readonly ArrayLike<number>[]) =>
  plainLoss(
    settings,
    ROW.map(({ lp, old, advantage, weight, drift }, index) => ({
      lp: Array.from(live[index] ?? []),
      frozen: Array.from(lp),
      old: Array.from(old),
      advantage: Array.from(advantage),
      weight: Array.from(weight),
      drift: Array.from(drift),
    })),
  );

describe('the loss of a row from log-probabilities', () => {
  it.each(CASES)('%s: value, and coefficients by central differences', (_name, settings) => {
    const { loss, coefficients } = rowLoss(settings, ROW);
    const now = ROW.map(({ lp }) => lp);
    expect(loss).toBeCloseTo(lossAt(settings, now), 12);
    const moved = (sequence: number, at: number, by: number) =>
      now.map((lp, index) => Array.from(lp, (value, i) => (index === sequence && i === at ? value + by : value)));
    coefficients.forEach((values, sequence) =>
      values.forEach((value, at) => {
        const slope =
          (lossAt(settings, moved(sequence, at, 1e-6)) - lossAt(settings, moved(sequence, at, -1e-6))) / 2e-6;
        expect(value).toBeCloseTo(-slope, 7);
      }),
    );
  });

  it('is nothing for a sequence without trained tokens', () => {
    const empty = { lp: [], old: [], advantage: [], weight: [], drift: [] };
    expect(rowLoss(CISPO, [empty])).toEqual({ loss: expect.closeTo(0), coefficients: [new Float64Array(0)] });
    expect(rowLoss({ ...PPO, level: 'sequence' }, [empty]).loss).toBeCloseTo(0);
  });
});
