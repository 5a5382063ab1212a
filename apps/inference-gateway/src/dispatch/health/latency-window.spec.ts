import { LatencyWindow } from './latency-window.js';

const MINUTE_MS = 60_000;

describe('a latency window', () => {
  const near = (ms: number) => expect.closeTo(ms, -Math.log10(ms * 0.09));

  it('has no quantiles without times', () => {
    expect(new LatencyWindow(5, MINUTE_MS).quantiles(0)).toBeNull();
  });

  it('shows the median and the 99th percentile of all times, however many there are', () => {
    const window = new LatencyWindow(5, MINUTE_MS);
    for (let ms = 1; ms <= 100_000; ms++) window.add(ms / 100, ms);
    const { p50, p99 } = window.quantiles(100_000) as { p50: number; p99: number };
    expect([p50 / 500, p99 / 990]).toEqual([near(1), near(1)]);
  });

  it.each([0.2, 3.3, 47, 980, 12_345, 600_000])('is right to within five percent at %s ms', (ms) => {
    const window = new LatencyWindow(5, MINUTE_MS);
    window.add(ms, 0);
    const { p50, p99 } = window.quantiles(0) as { p50: number; p99: number };
    expect(p50).toBe(p99);
    expect(Math.abs(p50 / ms - 1)).toBeLessThan(0.05);
  });

  it('takes times of any size', () => {
    const window = new LatencyWindow(5, MINUTE_MS);
    for (const ms of [0, 1e-9, 1e12, Infinity]) window.add(ms, 0);
    expect(window.quantiles(0)).toEqual({ p50: expect.closeTo(0.13, 1), p99: expect.any(Number) });
  });

  it('forgets what is older than the window, and only that', () => {
    const window = new LatencyWindow(5, MINUTE_MS);
    window.add(1_000, 0);
    window.add(10, 2 * MINUTE_MS);
    expect(window.quantiles(4 * MINUTE_MS)?.p99).toBeGreaterThan(900);
    expect(window.quantiles(5 * MINUTE_MS)?.p99).toBeLessThan(11);
    expect(window.quantiles(60 * MINUTE_MS)).toBeNull();
  });
});
