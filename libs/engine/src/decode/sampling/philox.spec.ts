import { philox, uniformAt } from './philox.js';

describe('philox', () => {
  // The known answers that come with Random123, the authors' implementation.
  it.each([
    [[0, 0, 0, 0], [0, 0], '6627e8d5e169c58dbc57ac4c9b00dbd8'],
    [[0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff], [0xffffffff, 0xffffffff], '408f276d41c83b0ea20bc7c66d5451fd'],
    [[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0], 'd16cfe0994fdcceb5001e42024126ea1'],
  ])('gives the known answer of %p and %p', (counter, key, expected) => {
    const words = philox(counter, key).map((word) => word.toString(16).padStart(8, '0'));
    expect(words.join('')).toBe(expected);
  });
});

describe('uniformAt', () => {
  it('takes all 64 bits of a seed, negative ones too', () => {
    const drawn = [0n, 1n, -1n, 1n << 32n, 1n << 63n].map((seed) => uniformAt(seed, 0));
    expect(new Set(drawn).size).toBe(5);
    expect(uniformAt(-1n, 3)).toBe(uniformAt((1n << 64n) - 1n, 3));
  });

  it('spreads evenly', () => {
    const counts = new Array<number>(10).fill(0);
    for (let index = 0; index < 10_000; index++) counts[Math.floor(uniformAt(7n, index) * 10)]! += 1;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 27.9 is exceeded once in a thousand seeds, and this seed is fixed.
    expect(chiSquare).toBeLessThan(27.9);
  });
});
