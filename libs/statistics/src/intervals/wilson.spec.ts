import { wilsonInterval } from './wilson.js';

describe('wilsonInterval', () => {
  it('has the ends of its published example: 15 of 148', () => {
    // R. G. Newcombe, Statistics in Medicine 17 (1998) 857, table I.
    const { estimate, low, high, method, level } = wilsonInterval(15, 148);
    expect(estimate).toBe(15 / 148);
    expect(low).toBeCloseTo(0.0624, 4);
    expect(high).toBeCloseTo(0.1605, 4);
    expect(method).toBe('wilson');
    expect(level).toBe(0.95);
  });

  it('stays within 0 and 1, and holds its estimate, at both ends', () => {
    expect(wilsonInterval(0, 20)).toMatchObject({ estimate: 0, low: 0 });
    expect(wilsonInterval(0, 20).high).toBeCloseTo(0.1611, 4);
    expect(wilsonInterval(20, 20)).toMatchObject({ estimate: 1, high: 1 });
  });

  it.each([
    [1, 0, 0.95],
    [3, 2, 0.95],
    [-1, 2, 0.95],
    [0.5, 2, 0.95],
    [1, 2, 1],
    [1, 2, Number.NaN],
  ])('refuses %d of %d at level %d', (successes, trials, level) => {
    expect(() => wilsonInterval(successes, trials, level)).toThrow(RangeError);
  });
});
