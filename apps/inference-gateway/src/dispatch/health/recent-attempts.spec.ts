import type { FailureReason } from '../../shared/failure-reason.js';
import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { type FailedAttempt, KEPT_FAILURES, RecentAttempts } from './recent-attempts.js';

describe('the recent attempts at a target', () => {
  let clock: FakeClock;
  let recent: RecentAttempts;
  beforeEach(() => {
    clock = new FakeClock();
    recent = new RecentAttempts(clock);
  });

  const failure = (number: number, reason: FailureReason = 'failed'): FailedAttempt => ({
    ...{ atMs: clock.now(), route: 'chat', rid: `r${number}`, number, reason, upstreamStatus: 500 },
    ...{ durationMs: 3, isForwarded: false, breaker: 'closed', movedTo: null },
  });

  it('are none at first', () => {
    expect([recent.total, recent.failures, recent.durationMs, recent.firstTokenMs]).toEqual([0, 0, null, null]);
    expect(recent.lastFailures(KEPT_FAILURES)).toEqual([]);
  });

  it('count for five minutes; the failures themselves stay', async () => {
    recent.answered(100, null);
    recent.failedWith(failure(1));
    expect([recent.total, recent.failures]).toEqual([2, 1]);
    await clock.advance(6 * 60_000);
    expect([recent.total, recent.failures, recent.durationMs]).toEqual([0, 0, null]);
    expect(recent.lastFailures(1)).toMatchObject([{ number: 1 }]);
  });

  it('keep the last failures, newest first, and no more', () => {
    for (let number = 1; number <= 3 * KEPT_FAILURES + 7; number++) recent.failedWith(failure(number));
    const numbers = recent.lastFailures(100).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: KEPT_FAILURES }, (_, index) => 3 * KEPT_FAILURES + 7 - index));
    expect(recent.lastFailures(2)).toHaveLength(2);
    expect(recent.lastFailures(0)).toEqual([]);
    expect(recent.failures).toBe(67);
  });

  it.each(['rejected', 'context_length', 'content_filter', 'dead_end'] as const)(
    'have no failure for a request that is itself at fault: %s',
    (reason) => {
      recent.failedWith(failure(1, reason));
      expect([recent.total, recent.failures, recent.lastFailures(1)]).toEqual([1, 0, []]);
    },
  );

  it('measure streams to their first token, and all answers to their end', () => {
    recent.answered(800, 100);
    recent.answered(800, null);
    expect(recent.durationMs?.p50).toBeGreaterThan(760);
    expect(recent.firstTokenMs?.p99).toBeLessThan(105);
  });
});
