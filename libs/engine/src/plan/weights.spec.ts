import fc from 'fast-check';

import { weigh } from './weights.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const sequence = (trainedTokens: number, advantage: number, trajectoryTokens = trainedTokens) => ({
  trainedTokens,
  advantage,
  trajectoryTokens,
});

describe('weigh', () => {
  it('lets a short and a long trajectory count alike, with mean weight 1 and mean magnitude 1', () => {
    // 1 token of weight 1 and 3 of weight 1/3: mean 1/2. Magnitude (1 * 2 * 2 + 3 * 2/3 * 1) / 4 = 3/2.
    const [short, long] = weigh([sequence(1, 2), sequence(3, -1)]) ?? [];
    expect(short?.weight).toBeCloseTo(2, 5);
    expect(long?.weight).toBeCloseTo(2 / 3, 5);
    expect(short?.advantage).toBeCloseTo(4 / 3, 5);
    expect(long?.advantage).toBeCloseTo(-2 / 3, 5);
  });

  it('goes by the tokens of the whole trajectory, cut ones too', () => {
    const [cut, whole] = weigh([sequence(1, 1, 4), sequence(1, 1, 1)]) ?? [];
    expect((whole?.weight ?? 0) / (cut?.weight ?? 0)).toBeCloseTo(4, 4);
  });

  it('finds nothing to train without sequences, and without advantages', () => {
    expect(weigh([])).toBeNull();
    expect(weigh([sequence(2, 0), sequence(1, 0)])).toBeNull();
  });

  it('says when advantages overflow together', () => {
    const huge = sequence(2 ** 20, 1e308);
    expect(() => weigh([huge, huge])).toThrow(expect.objectContaining({ code: 'data.reward_overflow' }));
  });

  it('always has a mean weight and a mean magnitude of 1 over the trained tokens', () => {
    const one = fc.record({
      trainedTokens: fc.integer({ min: 1, max: 50 }),
      advantage: fc.double({ min: -5, max: 5, noNaN: true }).filter((value) => Math.abs(value) > 1e-3),
      trajectoryTokens: fc.integer({ min: 50, max: 500 }),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1 }), (sequences) => {
        const weighed = weigh(sequences) ?? [];
        const tokens = sequences.reduce((sum, { trainedTokens }) => sum + trainedTokens, 0);
        const mean = (value: (at: number) => number) =>
          sequences.reduce((sum, { trainedTokens }, at) => sum + trainedTokens * value(at), 0) / tokens;
        expect(mean((at) => weighed[at]?.weight ?? NaN)).toBeCloseTo(1, 9);
        expect(mean((at) => Math.abs(weighed[at]?.advantage ?? NaN) * (weighed[at]?.weight ?? NaN))).toBeCloseTo(1, 9);
      }),
    );
  });
});
