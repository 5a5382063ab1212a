import { isDrawn } from './draw.js';

const CALLS = Array.from({ length: 20_000 }, (_, n) => `call-${n}`);

describe('a draw of calls', () => {
  it.each([0.01, 0.25, 0.9])('has the share %d of them', (rate) => {
    const drawn = CALLS.filter((id) => isDrawn('m1', id, rate)).length / CALLS.length;
    // These draws never change: three standard errors of as many draws by chance.
    expect(Math.abs(drawn - rate)).toBeLessThan(3 * Math.sqrt((rate * (1 - rate)) / CALLS.length));
  });

  it('keeps the calls of a smaller share, and is another for another monitor', () => {
    const some = CALLS.filter((id) => isDrawn('m1', id, 0.1));
    expect(some.every((id) => isDrawn('m1', id, 0.2))).toBe(true);
    const both = some.filter((id) => isDrawn('m2', id, 0.1)).length / some.length;
    expect(Math.abs(both - 0.1)).toBeLessThan(0.03);
  });

  it('has all of a share of one', () => expect(CALLS.every((id) => isDrawn('m1', id, 1))).toBe(true));
});
