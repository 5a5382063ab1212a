import { areFinite, largestMagnitude } from './finite.js';

describe('areFinite', () => {
  it.each([0, 1, 4, 9])('finds the one bad value among %s others, wherever it is', (others) => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      for (let at = 0; at <= others; at += 1) {
        const values = new Float32Array(others + 1).fill(-3.4e38);
        values[at] = bad;
        expect(areFinite(values)).toBe(false);
      }
    }
  });

  it('takes the largest and smallest numbers for what they are', () => {
    expect(areFinite(Float32Array.of(3.4028234e38, -3.4028234e38, 1e-45, -0, 0))).toBe(true);
    expect(areFinite(new Float32Array())).toBe(true);
  });
});

describe('largestMagnitude', () => {
  it('does not depend on the sign', () => {
    expect(largestMagnitude(Float32Array.of(1, -8, 2))).toBe(8);
    expect(largestMagnitude(new Float32Array())).toBe(0);
  });
});
