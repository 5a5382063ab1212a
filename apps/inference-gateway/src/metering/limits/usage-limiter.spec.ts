import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { LimitExceededError, LimitsUnavailableError } from './limits.errors.js';
import { MemoryLimits } from './memory-limits.fixture.js';
import { Reservation } from './reservation.js';
import { UsageLimiter } from './usage-limiter.js';

describe('UsageLimiter', () => {
  let clock: FakeClock;
  let store: MemoryLimits;
  let limiter: UsageLimiter;
  const started: UsageLimiter[] = [];

  beforeEach(async () => {
    clock = new FakeClock();
    await clock.advance(1);
    store = new MemoryLimits(clock);
    limiter = replica('a');
  });
  afterEach(() => Promise.all(started.splice(0).map((one) => one.stop())));

  function replica(holder: string): UsageLimiter {
    const one = new UsageLimiter(store, { clock, holder });
    one.start();
    started.push(one);
    return one;
  }

  const reserve = async (tokens = 10, costNanoUsd = 0, at = limiter) =>
    at.reserve({ keyId: 'k', projectId: 'p', tokens, costNanoUsd });
  const refusal = (tokens?: number, cost?: number, at?: UsageLimiter) =>
    reserve(tokens, cost, at).then(
      () => null,
      (error: LimitExceededError) => error,
    );
  const used = (tokens = 10, costNanoUsd = 0) => ({ tokens, costNanoUsd });

  it('admits every request without limits, with one read of key and project each', async () => {
    for (let n = 0; n < 5; n++) (await reserve(1_000_000, 1_000_000)).settle(used());
    expect([store.reads, store.exchanges]).toEqual([2, 0]);
  });

  it('is synchronous while its grants suffice', async () => {
    store.put('key/k', { requestsPerMinute: 1_000, tokensPerMinute: 100_000 });
    await reserve();
    expect(store.exchanges).toBe(1);
    for (let n = 0; n < 20; n++) {
      const request = { keyId: 'k', projectId: 'p', tokens: 10, costNanoUsd: 0 };
      expect(limiter.reserve(request)).toBeInstanceOf(Reservation);
    }
    expect(store.exchanges).toBe(1);
  });

  it('takes only from budgets for requests that nobody waits for', async () => {
    store.put('key/k', { requestsPerMinute: 1, tokensPerMinute: 10, concurrentRequests: 1, dailyBudgetNanoUsd: 100 });
    const shadow = (costNanoUsd: number) =>
      limiter.reserve({ keyId: 'k', projectId: 'p', tokens: 50, costNanoUsd, ofBudgetsAlone: true });
    const shadows = [await shadow(40), await shadow(40)];
    const own = await reserve(10, 10);
    expect((await refusal(10, 10))?.code).toBe('rate_limit_requests');
    for (const one of [...shadows, own]) one.settle(used(10, 40));
    await expect((async () => shadow(40))()).rejects.toThrow(LimitExceededError);
    await clock.advance(60_000);
    expect((await refusal(10, 10))?.code).toBe('budget_exceeded');
  });

  it('runs one exchange for all waiting requests', async () => {
    store.put('key/k', { tokensPerMinute: 1_000 });
    await reserve();
    await Promise.all(Array.from({ length: 40 }, () => reserve()));
    expect(store.exchanges).toBeLessThanOrEqual(3);
  });

  it('serves waiting requests before later ones, even when the exchange of the other limit is slow', async () => {
    store.put('key/k', { tokensPerMinute: 1_000 });
    store.put('project/p', { tokensPerMinute: 1_000 });
    const outcomes: Promise<unknown>[] = [];
    for (let n = 0; n < 40; n++) {
      outcomes.push(refusal(n % 2 ? 30 : 5));
      if (n % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => null));
  });

  it.each([
    ['requestsPerMinute', 'requests', 'rate_limit_requests'],
    ['concurrentRequests', 'concurrency', 'concurrency_limit'],
  ] as const)('refuses beyond %s of the key', async (name, limit, code) => {
    store.put('key/k', { [name]: 3 });
    await Promise.all([reserve(), reserve(), reserve()]);
    expect(await refusal()).toMatchObject({ limit, code, scope: 'key', status: 429, type: 'rate_limit_error' });
  });

  it('refuses tokens beyond the limit of the project, with the time until a retry', async () => {
    store.put('project/p', { tokensPerMinute: 600 });
    store.put('key/k', { tokensPerMinute: 100_000 });
    await reserve(600);
    const error = await refusal(100);
    expect(error).toMatchObject({
      limit: 'tokens',
      scope: 'project',
      headers: { 'retry-after': '10', 'retry-after-ms': '10000' },
      message: 'This project has reached its limit of 600 tokens per minute; try again in 10 s.',
    });
    await clock.advance(9_000);
    expect(await refusal(100)).toBeInstanceOf(LimitExceededError);
    await clock.advance(1_000);
    expect(await refusal(100)).toBeNull();
  });

  it('takes nothing of one limit when another refuses', async () => {
    store.put('key/k', { tokensPerMinute: 100, requestsPerMinute: 100 });
    store.put('project/p', { concurrentRequests: 1 });
    const first = await reserve(10);
    await refusal(90);
    first.settle(used(10));
    expect(await refusal(90)).toBeNull();
  });

  it('never refuses a first request for being large', async () => {
    store.put('key/k', { tokensPerMinute: 100, monthlyBudgetNanoUsd: 1_000 });
    expect(await refusal(50_000, 1_000_000)).toBeNull();
  });

  it('returns what a request reserved beyond its usage', async () => {
    store.put('key/k', { tokensPerMinute: 100 });
    (await reserve(100)).settle(used(20));
    expect(await refusal(80)).toBeNull();
    expect(await refusal(1)).not.toBeNull();
  });

  it('charges usage beyond the reservation, which delays later requests', async () => {
    store.put('key/k', { tokensPerMinute: 100 });
    (await reserve(10)).settle(used(190));
    expect(await refusal(1)).toMatchObject({ headers: { 'retry-after': '55' } });
    await clock.advance(2_000); // the debt is paid
    expect(await refusal(1, 0, replica('b'))).toMatchObject({ headers: { 'retry-after': '53' } });
    await clock.advance(54_000);
    expect(await refusal(1)).toBeNull();
  });

  it('ignores a second settle', async () => {
    store.put('key/k', { tokensPerMinute: 100, concurrentRequests: 1 });
    const reservation = await reserve(100);
    reservation.settle(used(50));
    reservation.settle(used(0));
    expect(await refusal(60)).toMatchObject({ limit: 'tokens' });
  });

  it('refuses every request at a limit of 0, without a retry', async () => {
    store.put('key/k', { tokensPerMinute: 0 });
    expect(await refusal(0)).toMatchObject({ headers: { 'x-should-retry': 'false' } });
  });

  it('returns what it did not need for five seconds', async () => {
    store.put('key/k', { tokensPerMinute: 100 });
    const other = replica('b');
    (await reserve(100)).settle(used(0));
    expect(await refusal(50, 0, other)).not.toBeNull();
    await clock.advance(10_000);
    expect(await refusal(50, 0, other)).toBeNull();
  });

  it('shares slots: the hold of a dead process expires after fifteen seconds', async () => {
    store.put('key/k', { concurrentRequests: 2 });
    const other = replica('b');
    await reserve(1, 0, other);
    await reserve(1);
    for (let n = 0; n < 6; n++) await clock.advance(5_000);
    expect(await refusal()).toMatchObject({ limit: 'concurrency' });
    started.splice(started.indexOf(other), 1);
    (other as unknown as { giveBack: () => Promise<void> }).giveBack = async () => undefined;
    await clock.advance(20_000);
    expect(await refusal()).toBeNull();
    expect(await refusal()).toMatchObject({ limit: 'concurrency' });
  });

  describe('with a monthly budget', () => {
    beforeEach(() => store.put('project/p', { monthlyBudgetNanoUsd: 1_000 }));

    it('answers 402 once it is spent', async () => {
      (await reserve(1, 600)).settle(used(1, 1_000));
      expect(await refusal(1, 1)).toMatchObject({
        status: 402,
        type: 'insufficient_quota',
        code: 'budget_exceeded',
        headers: { 'x-should-retry': 'false' },
      });
    });

    it('asks for patience, not for money, while the rest is reserved', async () => {
      const running = await reserve(1, 1_000);
      expect(await refusal(1, 1)).toMatchObject({
        status: 429,
        code: 'budget_reserved',
        headers: { 'retry-after': '1', 'retry-after-ms': '1000' },
      });
      running.settle(used(1, 650));
      expect(await refusal(1, 1)).toBeNull();
    });

    it('serves all of many requests at once that retry, while money is left', async () => {
      const running = (await Promise.all(Array.from({ length: 50 }, () => reserve(1, 200).catch(() => null)))).filter(
        (one) => one !== null,
      );
      expect(running).toHaveLength(5);
      for (const one of running) one.settle(used(1, 13));
      expect(await refusal(1, 200)).toBeNull();
    });

    it('asks for patience while another process reserves the rest', async () => {
      const other = replica('b');
      const running = await reserve(1, 1_000, other);
      expect(await refusal(1, 1)).toMatchObject({ status: 429 });
      running.settle(used(1, 1_000));
      store.spent = 1_000;
      other.onCommitted(clock.now() + 1);
      await clock.advance(10_000);
      expect(await refusal(1, 1)).toMatchObject({ status: 402 });
    });

    it('admits requests for free models', async () => {
      (await reserve(1, 600)).settle(used(1, 1_000));
      expect(await refusal(1, 0)).toBeNull();
    });

    it('admits a request that may cost more than what is left', async () => {
      (await reserve(1, 600)).settle(used(1, 999));
      expect(await refusal(1, 600)).toBeNull();
      expect(await refusal(1, 1)).toMatchObject({ limit: 'budget' });
    });

    it('counts a cost once, before and after the sums include it', async () => {
      (await reserve(1, 400)).settle(used(1, 400));
      await clock.advance(20_000);
      store.spent = 400;
      limiter.onCommitted(clock.now());
      await clock.advance(10_000);
      (await reserve(1, 600)).settle(used(1, 599));
      expect(await refusal(1, 1)).toBeNull();
      expect(await refusal(1, 1)).toMatchObject({ limit: 'budget' });
    });

    it('does not let two processes spend it twice', async () => {
      const other = replica('b');
      await reserve(1, 1_000);
      expect(await refusal(1, 1, other)).toMatchObject({ limit: 'budget' });
    });
  });

  describe('with budgets of a day and of a month', () => {
    beforeEach(() => store.put('project/p', { dailyBudgetNanoUsd: 300, monthlyBudgetNanoUsd: 1_000 }));

    it('answers 402 once the day’s is spent, and serves again on the next day', async () => {
      (await reserve(1, 300)).settle(used(1, 300));
      expect(await refusal(1, 1)).toMatchObject({
        ...{ status: 402, code: 'budget_exceeded', headers: { 'x-should-retry': 'false' } },
        message: 'The daily budget of this project is spent.',
      });
      store.spent = 300; // the day is over, and the sums include the cost
      limiter.onCommitted(clock.now() + 1);
      await clock.advance(10_000);
      expect(await refusal(1, 300)).toBeNull();
    });

    it('asks for patience while the rest of the day’s is reserved, here or elsewhere', async () => {
      const other = replica('b');
      const running = await reserve(1, 300);
      for (const limiterOfOne of [limiter, other]) {
        expect(await refusal(1, 1, limiterOfOne)).toMatchObject({
          ...{ status: 429, code: 'budget_reserved', headers: { 'retry-after': '1' } },
          message:
            'What is left of the daily budget of this project is reserved by running requests; try again in 1 s.',
        });
      }
      running.settle(used(1, 100));
      expect(await refusal(1, 200)).toBeNull();
    });

    it('names the month’s once that is spent first', async () => {
      store.spent = 1_000;
      expect(await refusal(1, 1)).toMatchObject({
        status: 402,
        message: 'The monthly budget of this project is spent.',
      });
    });

    it('names the spent one of two that refuse', async () => {
      store.spent = 1_000;
      await reserve(1, 300).catch(() => null);
      store.put('project/p', { dailyBudgetNanoUsd: 0, monthlyBudgetNanoUsd: 10_000 });
      limiter.forgetAll();
      expect(await refusal(1, 1)).toMatchObject({ status: 402, message: 'The daily budget of this project is spent.' });
    });
  });

  it('applies new limits at once after an invalidation', async () => {
    store.put('key/k', { requestsPerMinute: 1_000 });
    await reserve();
    store.put('key/k', { requestsPerMinute: 0 });
    limiter.forget('key/k');
    expect(await refusal()).toMatchObject({ limit: 'requests' });
  });

  it('refreshes limits after half a minute in the background', async () => {
    await reserve();
    store.put('key/k', { requestsPerMinute: 0 });
    await clock.advance(31_000);
    expect(await refusal()).toBeNull();
    await clock.advance(0);
    expect(await refusal()).toMatchObject({ limit: 'requests' });
  });

  describe('while the database is unavailable', () => {
    it('applies the limits by itself, and shares them again later', async () => {
      store.put('key/k', { requestsPerMinute: 2 });
      await reserve();
      store.isUnavailable = true;
      expect([await refusal(), await refusal(), await refusal()].map((error) => error?.limit)).toEqual([
        undefined,
        undefined,
        'requests',
      ]);
      store.isUnavailable = false;
      await clock.advance(2_000);
      expect(await refusal()).toBeNull();
      expect(await refusal()).toMatchObject({ limit: 'requests' });
    });

    it('refuses a key whose limits are not cached or older than ten minutes', async () => {
      store.isUnavailable = true;
      expect(await refusal()).toBeInstanceOf(LimitsUnavailableError);
      store.isUnavailable = false;
      await reserve();
      store.isUnavailable = true;
      await clock.advance(599_000);
      expect(await refusal()).toBeNull();
      await clock.advance(2_000);
      expect(await refusal()).toBeInstanceOf(LimitsUnavailableError);
    });
  });

  it('returns headers of the tighter limit', async () => {
    store.put('key/k', { requestsPerMinute: 60, tokensPerMinute: 600 });
    store.put('project/p', { requestsPerMinute: 1_000, tokensPerMinute: 100 });
    const { headers } = await reserve(40);
    expect(headers).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-limit-tokens': '100',
      'x-ratelimit-remaining-tokens': '60',
      'x-ratelimit-reset-tokens': '24s',
    });
  });

  it('returns no headers without limits', async () => {
    expect((await reserve()).headers).toEqual({});
  });
});
