import { timeTicks, valueTicks } from './ticks.js';

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

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 5, 10]],
    [1_000, [0, 250, 500, 750, 1_000]],
  ])('of counts have no fractions: %d', (most, ticks) => expect(valueTicks(most, true)).toEqual(ticks));

  it('are few and cover the value, however small or large it is', () => {
    for (let power = -300; power <= 300; power += 7)
      for (const digit of [1, 1.0000001, 3.3, 9.99]) {
        const ticks = valueTicks(digit * 10 ** power);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(digit * 10 ** power * (1 - 1e-9));
      }
  });
});

describe('timeTicks', () => {
  const NOW = new Date(2026, 4, 13, 9, 47, 12, 345).getTime();
  const HOUR_MS = 3_600_000;

  it.each([
    ['an hour', HOUR_MS, ['09:00', '09:10', '09:20', '09:30', '09:40'], 10],
    ['a day', 24 * HOUR_MS, ['12:00', '16:00', '20:00', '00:00', '04:00'], 240],
  ])('are whole minutes and hours of %s', (_name, length, clocks, minutes) => {
    const ticks = timeTicks(NOW - length, NOW);
    const shown = ticks.map((ms) => new Date(ms).toTimeString().slice(0, 5));
    for (const ms of ticks) expect((new Date(ms).getHours() * 60 + new Date(ms).getMinutes()) % minutes).toBe(0);
    expect(shown).toEqual(expect.arrayContaining(clocks));
  });

  it('are midnights of a month, and first days of months of a year', () => {
    for (const ms of timeTicks(NOW - 30 * 24 * HOUR_MS, NOW)) expect(new Date(ms).getHours()).toBe(0);
    const ofYear = timeTicks(NOW - 365 * 24 * HOUR_MS, NOW);
    expect(ofYear.length).toBeGreaterThan(3);
    for (const ms of ofYear) expect(new Date(ms).getDate()).toBe(1);
  });

  it('are few, in order and within the time, however long it is', () => {
    for (let length = 1; length < 1e14; length *= 3) {
      const ticks = timeTicks(NOW - length, NOW);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect([...ticks].sort((a, b) => a - b)).toEqual(ticks);
      expect(ticks[0]).toBeGreaterThanOrEqual(NOW - length);
      expect(ticks.at(-1)).toBeLessThanOrEqual(NOW);
    }
  });
});
