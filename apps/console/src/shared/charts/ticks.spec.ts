import { valueTicks } from './ticks.js';

describe('valueTicks', () => {
  it.each([
    [10, [0, 2.5, 5, 7.5, 10]],
    [7, [0, 2, 4, 6, 8]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [0, [0, 0.25, 0.5, 0.75, 1]],
    [Number.NaN, [0, 0.25, 0.5, 0.75, 1]],
    [Number.POSITIVE_INFINITY, [0, 0.25, 0.5, 0.75, 1]],
    [123_456, [0, 50_000, 100_000, 150_000]],
  ])('%d', (most, ticks) => expect(valueTicks(most)).toEqual(ticks));

  it('are few and cover the value, however small or large it is', () => {
    for (let power = -300; power <= 300; power += 7)
      for (const digit of [1, 1.0000001, 3.3, 9.99]) {
        const ticks = valueTicks(digit * 10 ** power);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(digit * 10 ** power * (1 - 1e-9));
      }
  });
});
