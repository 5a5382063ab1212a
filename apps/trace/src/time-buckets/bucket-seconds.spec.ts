import { bucketSeconds } from './bucket-seconds.js';

const DAY = 86_400;

describe('bucketSeconds', () => {
  it.each([
    [0, undefined, 60],
    [200 * 60, undefined, 60],
    [200 * 60 + 1, undefined, 300],
    [DAY, undefined, 900],
    [200 * DAY, undefined, DAY],
    [20_000 * DAY, undefined, 2 * DAY],
    [10_000, 1, 1],
    [10_001, 1, 2],
    [DAY, 7, 9],
    [DAY, 3_600, 3_600],
  ])('%d s, asked for %s: %d', (span, asked, expected) => {
    expect(bucketSeconds(span, asked)).toBe(expected);
  });
});
