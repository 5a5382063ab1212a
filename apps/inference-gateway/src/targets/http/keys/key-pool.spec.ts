import { FakeClock } from '../../../shared/time/fake-clock.fixture.js';
import type { TargetFailure } from '../../target-failure.js';
import { KeyPool, type UpstreamKey } from './key-pool.js';

const [A, B, C] = ['a', 'b', 'c'].map((name) => ({ name, value: `secret-${name}` })) as [
  UpstreamKey,
  UpstreamKey,
  UpstreamKey,
];
const PAUSES = { outMs: 60_000, coolingMs: 1_000 };
const failure = (reason: TargetFailure['reason'], upstreamStatus: number, retryAfterMs?: number): TargetFailure => ({
  ...{ reason, upstreamStatus, message: 'no' },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
const REFUSED = failure('unauthorized', 401);

describe('the keys of an upstream', () => {
  const clock = new FakeClock();
  const poolOf = (...keys: UpstreamKey[]) => new KeyPool(keys, PAUSES, clock);
  const taken = (pool: KeyPool, times: number) => Array.from({ length: times }, () => pool.take()?.name);

  it('are used in turn', () => {
    expect(taken(poolOf(A, B, C), 5)).toEqual(['a', 'b', 'c', 'a', 'b']);
    expect(taken(poolOf(A), 2)).toEqual(['a', 'a']);
    expect(poolOf().take()).toBeNull();
  });

  it.each([
    [REFUSED, 60_000],
    [failure('no_quota', 429), 60_000],
    [failure('rate_limited', 429, 3_000), 3_000],
    [failure('rate_limited', 429), 1_000],
    [failure('rate_limited', 429, 86_400_000), 60_000],
  ])('are set aside after %j for %i ms', async (why, ms) => {
    const pool = poolOf(A, B);
    expect(pool.setAside(A, why)).toBe(true);
    await clock.advance(ms - 1);
    expect(taken(pool, 2)).toEqual(['b', 'b']);
    await clock.advance(1);
    expect(new Set(taken(pool, 2))).toEqual(new Set(['a', 'b']));
  });

  it.each([failure('unauthorized', 403), failure('failed', 500), failure('rejected', 400), failure('silent', 0)])(
    'are not set aside after %j, which says nothing about them',
    (why) => {
      const pool = poolOf(A, B);
      expect(pool.setAside(A, why)).toBe(false);
      expect(taken(pool, 2)).toEqual(['a', 'b']);
    },
  );

  it('are, when all are set aside, the one that comes back first', () => {
    const pool = poolOf(A, B, C);
    for (const [key, ms] of [
      [A, 9_000],
      [B, 2_000],
      [C, 5_000],
    ] as const) {
      pool.setAside(key, failure('rate_limited', 429, ms));
    }
    expect(pool.takeFree([])).toBeNull();
    expect(taken(pool, 2)).toEqual(['b', 'b']);
    expect(pool.verdict(REFUSED)).toMatchObject({ reason: 'rate_limited', retryAfterMs: 2_000 });
    pool.readmit();
    expect(new Set(taken(pool, 3))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('fail as the last one did when none of them comes back by itself', () => {
    const pool = poolOf(A, B);
    for (const key of [A, B]) pool.setAside(key, REFUSED);
    expect(pool.verdict(REFUSED)).toBe(REFUSED);
  });

  it('are not tried twice by one request', () => {
    const pool = poolOf(A, B);
    expect(pool.takeFree([A])?.name).toBe('b');
    expect(pool.takeFree([A, B])).toBeNull();
  });
});
