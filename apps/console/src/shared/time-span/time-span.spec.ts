import { CUSTOM, exactSpan, exactTimes, findTimeSpan, SPANS, toTimeSpan } from './time-span.js';

const NOW = new Date(2026, 2, 15, 13, 30).getTime();
const at = (...[year, month, day]: [number, number, number]) => new Date(year, month, day).getTime();

describe('toTimeSpan', () => {
  it.each([
    ['1h', NOW - 3_600_000, NOW, 60],
    ['yesterday', at(2026, 2, 14), at(2026, 2, 15), 3_600],
    ['today', at(2026, 2, 15), NOW, 3_600],
    ['month', at(2026, 2, 1), NOW, 86_400],
    ['last-month', at(2026, 1, 1), at(2026, 2, 1), 86_400],
    ['2026-01-05..2026-01-20', at(2026, 0, 5), at(2026, 0, 21), 21_600],
    ['2026-01-05..2026-01-05', at(2026, 0, 5), at(2026, 0, 6), 900],
    ['2020-01-01..2026-01-01', at(2020, 0, 1), at(2026, 0, 2), 2_419_200],
  ])('%s', (name, start, end, seconds) => {
    expect(toTimeSpan(name, NOW)).toEqual({ start, end, seconds, previousStart: start - (end - start) });
  });

  it.each(['', 'nonsense', '__proto__', '2026-02-02..2026-01-01', '2026-99-99..2026-99-99'])(
    'takes %j for the last 24 hours',
    (name) => expect(toTimeSpan(name, NOW)).toEqual(toTimeSpan('24h', NOW)),
  );

  it('is exact where it was drawn on a chart', () => {
    const [start, end] = [NOW - 90_000, NOW];
    const name = exactSpan(start, end);
    expect(exactTimes(name)).toEqual([start, end]);
    expect(findTimeSpan(name, NOW)).toEqual({ start, end, seconds: 1, previousStart: start - 90_000 });
  });

  it.each(['', 'nonsense', exactSpan(NOW, NOW), exactSpan(NOW, NOW - 1), '2026-01-01T99:99Z..2026-01-02T00:00Z'])(
    'is none of %j',
    (name) => expect(findTimeSpan(name, NOW)).toBeNull(),
  );

  it('has few buckets for each name', () => {
    for (const name of Object.keys(SPANS)) {
      const { start, end, seconds } = toTimeSpan(name, NOW);
      expect((end - start) / 1_000 / seconds).toBeLessThanOrEqual(100);
      expect(name).not.toMatch(CUSTOM);
    }
  });
});
