import { bucketAt, bucketsOf, moved, timeOf } from './buckets.js';

const MINUTE = 60_000;
/** From 10 to 70 minutes, in buckets of 15. */
const SPAN = { start: 10 * MINUTE, end: 70 * MINUTE, seconds: 900, previousStart: 0 };
const BUCKETS = bucketsOf(SPAN, [30 * MINUTE]);

describe('the buckets of a histogram', () => {
  it('lie by those that have calls, and cover the span', () => {
    expect(BUCKETS).toEqual({ first: 0, widthMs: 15 * MINUTE, count: 5 });
    expect(bucketsOf(SPAN, [10 * MINUTE])).toMatchObject({ first: 10 * MINUTE, count: 4 });
    expect(bucketsOf({ ...SPAN, end: SPAN.start }, [])).toMatchObject({ first: SPAN.start, count: 1 });
  });

  it('are found by a time, also by one beyond them', () => {
    expect([-5, 0, 14, 15, 74, 900].map((minutes) => bucketAt(BUCKETS, minutes * MINUTE))).toEqual([0, 0, 0, 1, 4, 4]);
  });

  it('make a time that does not leave the span', () => {
    expect(timeOf(BUCKETS, SPAN, [1, 2])).toEqual([15 * MINUTE, 45 * MINUTE]);
    expect(timeOf(BUCKETS, SPAN, [4, 0])).toEqual([SPAN.start, SPAN.end]);
  });

  it('are chosen by keys', () => {
    const press = (keys: readonly [key: string, isGrowing?: boolean][]) =>
      keys.reduce<ReturnType<typeof moved> | null>(
        (at, [key, grows = false]) => moved(key, grows, at ?? null, 5),
        null,
      );
    expect(press([['ArrowRight'], ['ArrowRight'], ['ArrowRight', true]])).toEqual({ anchor: 1, active: 2 });
    expect(press([['ArrowLeft'], ['ArrowLeft', true], ['ArrowLeft']])).toEqual({ anchor: 2, active: 2 });
    expect(press([['End'], ['ArrowRight', true], ['Home', true]])).toEqual({ anchor: 4, active: 0 });
    expect(press([['a']])).toBeUndefined();
  });
});
