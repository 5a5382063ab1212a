import { learningRateScale } from './learning-rate-scale.js';

const points = (...means: number[]) => means.map((mean, step) => ({ step, mean }));

describe('learningRateScale', () => {
  it('is 1 while there is no line', () => {
    expect(learningRateScale([])).toBe(1);
    expect(learningRateScale(points(0.5))).toBe(1);
  });

  it('is how much of the deviation at step 0 is left at the last step', () => {
    expect(learningRateScale(points(0.4, 0.3, 0.2))).toBeCloseTo(0.5, 12);
    expect(learningRateScale(points(0.2, 0.2))).toBe(1);
    expect(
      learningRateScale([
        { step: 1, mean: 0.4 },
        { step: 3, mean: 0.2 },
      ]),
    ).toBeCloseTo(0.4, 12);
  });

  it('is neither below 0 nor above 10, and 1 when the line begins at 0 or below', () => {
    expect(learningRateScale(points(0.5, 0, 0, 0, 0))).toBe(0);
    expect(
      learningRateScale([
        { step: 1, mean: 0.1 },
        { step: 2, mean: 0.19 },
        { step: 30, mean: 2.71 },
      ]),
    ).toBe(10);
    expect(learningRateScale(points(0, 1, 2))).toBe(1);
  });
});
