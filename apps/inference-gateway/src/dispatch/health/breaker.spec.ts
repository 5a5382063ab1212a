import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { DEFAULT_HEALTH_LIMITS } from '../policy/limits.js';
import { Breaker } from './breaker.js';

describe('a breaker', () => {
  const open = () => {
    const clock = new FakeClock();
    const breaker = new Breaker(DEFAULT_HEALTH_LIMITS, clock);
    const fail = (times: number) => {
      for (let count = 0; count < times; count++) breaker.fail(false);
    };
    return { clock, breaker, fail };
  };

  it('opens at three failures in a row, not at three with a success between', () => {
    const { breaker, fail } = open();
    fail(2);
    breaker.succeed(false);
    fail(2);
    expect(breaker.state).toBe('closed');
    fail(1);
    expect([breaker.state, breaker.opensInMs]).toEqual(['open', 5_000]);
  });

  it('opens when half of twenty recent requests failed, and forgets old ones', async () => {
    const bad = open();
    for (let count = 0; count < 9; count++) {
      bad.breaker.succeed(false);
      bad.fail(1);
    }
    expect(bad.breaker.state).toBe('closed');
    bad.breaker.succeed(false);
    bad.fail(1);
    expect(bad.breaker.state).toBe('open');

    const slow = open();
    for (let count = 0; count < 40; count++) {
      slow.breaker.succeed(false);
      slow.fail(1);
      await slow.clock.advance(4_000);
    }
    expect(slow.breaker.state).toBe('closed');
  });

  it('lets one request through after the wait, and no other meanwhile', async () => {
    const { breaker, clock, fail } = open();
    fail(3);
    await clock.advance(5_000);
    expect([breaker.state, breaker.isPassable, breaker.enter()]).toEqual(['half-open', true, true]);
    expect(breaker.isPassable).toBe(false);
    breaker.succeed(true);
    expect([breaker.state, breaker.isPassable]).toEqual(['closed', true]);
  });

  it('waits twice as long after a failed probe, fifteen seconds at most, and anew after a success', async () => {
    const { breaker, clock, fail } = open();
    fail(3);
    const waits: number[] = [];
    for (let count = 0; count < 3; count++) {
      await clock.advance(breaker.opensInMs);
      breaker.fail(breaker.enter());
      waits.push(breaker.opensInMs);
    }
    expect(waits).toEqual([10_000, 15_000, 15_000]);
    await clock.advance(15_000);
    breaker.succeed(breaker.enter());
    fail(3);
    expect(breaker.opensInMs).toBe(5_000);
  });

  it('is closed by a success that began before it opened, once the wait has lapsed', async () => {
    const { breaker, clock, fail } = open();
    fail(3);
    breaker.succeed(false);
    expect(breaker.state).toBe('open');
    await clock.advance(5_000);
    breaker.succeed(false);
    expect(breaker.state).toBe('closed');
  });

  it('knows since when it is in its state', async () => {
    const { breaker, clock, fail } = open();
    await clock.advance(700);
    expect(breaker.sinceMs).toBe(700);
    fail(3);
    await clock.advance(4_000);
    expect([breaker.state, breaker.sinceMs]).toEqual(['open', 4_000]);
    await clock.advance(3_000);
    expect([breaker.state, breaker.sinceMs]).toEqual(['half-open', 2_000]);
    breaker.fail(breaker.enter());
    expect([breaker.state, breaker.sinceMs]).toEqual(['open', 0]);
    await clock.advance(10_000);
    breaker.succeed(breaker.enter());
    await clock.advance(50);
    expect([breaker.state, breaker.sinceMs]).toEqual(['closed', 50]);
  });

  it('stays as it is when a probe says nothing', async () => {
    const { breaker, clock, fail } = open();
    fail(3);
    await clock.advance(5_000);
    breaker.release(breaker.enter());
    expect([breaker.state, breaker.isPassable]).toEqual(['half-open', true]);
  });
});
