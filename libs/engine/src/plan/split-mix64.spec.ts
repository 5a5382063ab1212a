import { SplitMix64 } from './split-mix64.js';

describe('SplitMix64', () => {
  it('gives the numbers of the reference implementation', () => {
    const random = new SplitMix64(1234567);
    expect([random.next(), random.next(), random.next(), random.next(), random.next()]).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
      4593380528125082431n,
      16408922859458223821n,
    ]);
  });

  it('takes the whole 64 bits of a seed', () => {
    expect(new SplitMix64(1n << 63n).next()).not.toBe(new SplitMix64(0n).next());
  });

  it('shuffles a copy: every item once, in one of all orders', () => {
    const items = [1, 2, 3];
    const orders = Array.from({ length: 200 }, (_, seed) => new SplitMix64(seed).shuffle(items).join(''));
    expect(new Set(orders)).toEqual(new Set(['123', '132', '213', '231', '312', '321']));
    expect(items).toEqual([1, 2, 3]);
  });
});
