import { Backoff } from './backoff.js';

describe('Backoff', () => {
  it('starts again at once, then waits longer and longer', () => {
    const backoff = new Backoff();
    const delays = Array.from({ length: 8 }, () => backoff.nextDelayMs(100));
    expect(delays).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('begins anew after a minute up', () => {
    const backoff = new Backoff();
    backoff.nextDelayMs(10);
    backoff.nextDelayMs(10);
    expect(backoff.nextDelayMs(60_000)).toBe(0);
  });
});
