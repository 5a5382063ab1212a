import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import type { LimitExceededError } from './limits.errors.js';
import { MemoryLimits } from './memory-limits.fixture.js';
import { Reservation } from './reservation.js';
import { UsageLimiter } from './usage-limiter.js';

describe('UsageLimiter with budgets of models', () => {
  const aBudget = (model: string, daily: number | null, monthly: number | null = null) => ({
    model,
    dailyBudgetNanoUsd: daily,
    monthlyBudgetNanoUsd: monthly,
  });
  let clock: FakeClock;
  let store: MemoryLimits;
  let limiter: UsageLimiter;
  const started: UsageLimiter[] = [];

  beforeEach(async () => {
    clock = new FakeClock();
    await clock.advance(1);
    store = new MemoryLimits(clock);
    store.put('project/p', { modelBudgets: [aBudget('gpt-*', 300), aBudget('big', null, 1_000)] });
    limiter = replica('a');
  });
  afterEach(() => Promise.all(started.splice(0).map((one) => one.stop())));

  function replica(holder: string): UsageLimiter {
    const one = new UsageLimiter(store, { clock, holder });
    one.start();
    started.push(one);
    return one;
  }

  /** @param models what it costs with each model that may answer */
  const need = (models: Record<string, number>) => ({
    tokens: 1,
    costNanoUsd: Math.max(...Object.values(models)),
    models: new Map(Object.entries(models)),
  });
  const ask = async (models: Record<string, number>, at = limiter) =>
    at.reserve({ keyId: 'k', projectId: 'p', ...need(models) });
  const refused = (models: Record<string, number>, at?: UsageLimiter) =>
    ask(models, at).then(
      () => null,
      (error: LimitExceededError) => error,
    );

  it('refuses the models whose budget is spent, and no others', async () => {
    (await ask({ 'gpt-5': 300 })).settle(need({ 'gpt-5': 300 }));
    expect(await refused({ 'gpt-4': 1 })).toMatchObject({
      ...{ status: 402, code: 'budget_exceeded', headers: { 'x-should-retry': 'false' } },
      message: "The daily budget of this project for 'gpt-*' is spent.",
    });
    expect(await refused({ gpt: 1_000_000 })).toBeNull();
    (await ask({ big: 400 })).settle(need({ big: 1_000 }));
    expect(await refused({ big: 1 })).toMatchObject({
      message: "The monthly budget of this project for 'big' is spent.",
    });
    expect(await refused({ 'gpt-5': 0 })).toBeNull();
  });

  it('asks for patience while the rest is reserved, here or elsewhere', async () => {
    const other = replica('b');
    const running = await ask({ 'gpt-5': 300 });
    for (const at of [limiter, other]) {
      expect(await refused({ 'gpt-4': 1 }, at)).toMatchObject({
        ...{ status: 429, code: 'budget_reserved', headers: { 'retry-after': '1' } },
        message:
          "What is left of the daily budget of this project for 'gpt-*' is reserved by running requests; try again in 1 s.",
      });
    }
    running.settle(need({ 'gpt-5': 100 }));
    expect(await refused({ 'gpt-4': 200 })).toBeNull();
  });

  it('lets one process alone admit a request that costs more than is left', async () => {
    const other = replica('b');
    for (const at of [limiter, other]) (await ask({ 'gpt-5': 100 }, at)).settle(need({ 'gpt-5': 100 }));
    (await ask({ 'gpt-5': 94 })).settle(need({ 'gpt-5': 94 }));
    // Both hold something that no request has used yet.
    expect(await refused({ 'gpt-5': 94 }, other)).toMatchObject({ status: 429, code: 'budget_reserved' });
    await clock.advance(20_000);
    store.spentOf.set('day:gpt-*', 294);
    for (const at of [limiter, other]) at.onCommitted(clock.now());
    await clock.advance(10_000);
    (await ask({ 'gpt-5': 94 }, other)).settle(need({ 'gpt-5': 94 }));
    for (const at of [limiter, other]) expect(await refused({ 'gpt-5': 1 }, at)).toMatchObject({ limit: 'budget' });
  });

  it('admits no further request beside one that costs more than is left', async () => {
    const [first] = [await ask({ 'gpt-5': 120 }), await ask({ 'gpt-5': 120 }), await ask({ 'gpt-5': 120 })];
    first.settle(need({ 'gpt-5': 100 }));
    expect(await refused({ 'gpt-5': 1 })).toMatchObject({ status: 429, code: 'budget_reserved' });
  });

  it('charges the model that answered', async () => {
    (await ask({ 'gpt-5': 10, big: 200 })).settle(need({ big: 1_000 }));
    expect(await refused({ big: 1 })).toMatchObject({ status: 402 });
    expect(await refused({ 'gpt-5': 300 })).toBeNull();
  });

  it('charges no model for a request that none answered', async () => {
    (await ask({ 'gpt-5': 300 })).settle({ tokens: 0, costNanoUsd: 0 });
    expect(await refused({ 'gpt-5': 300 })).toBeNull();
  });

  it('leaves a model out while another may answer, and reserves nothing for it', async () => {
    store.put('key/k', { monthlyBudgetNanoUsd: 1_000 });
    store.spentOf.set('day:gpt-*', 300);
    const reservation = await ask({ 'gpt-5': 1_000, small: 10 });
    expect([reservation.admits('gpt-5'), reservation.admits('small')]).toEqual([false, true]);
    expect(reservation.refusal).toMatchObject({ message: "The daily budget of this project for 'gpt-*' is spent." });
    // The dearer model would have reserved all of the key's.
    const whole = await ask({ small: 900 });
    expect([whole.admits('small'), whole.refusal]).toEqual([true, null]);
  });

  it('refuses a request when no model is left, with patience where that helps', async () => {
    store.spentOf.set('day:gpt-*', 300);
    const running = await ask({ big: 1_000 });
    expect(await refused({ 'gpt-5': 1, big: 1 })).toMatchObject({ status: 429, code: 'budget_reserved' });
    running.settle(need({ big: 1_000 }));
    expect(await refused({ 'gpt-5': 1, big: 1 })).toMatchObject({
      status: 402,
      message: "The daily budget of this project for 'gpt-*' is spent.",
    });
    expect(await refused({ big: 1, 'gpt-5': 1 })).toMatchObject({ message: expect.stringContaining("for 'big'") });
  });

  it('adds up the budgets of key and project, and of names that overlap', async () => {
    store.put('key/k', { modelBudgets: [aBudget('*', 1_000), aBudget('gpt-5', 200)] });
    (await ask({ 'gpt-5': 200 })).settle(need({ 'gpt-5': 200 }));
    expect(await refused({ 'gpt-5': 1 })).toMatchObject({
      scope: 'key',
      message: "The daily budget of this key for 'gpt-5' is spent.",
    });
    (await ask({ 'gpt-4': 100 })).settle(need({ 'gpt-4': 100 }));
    expect(await refused({ 'gpt-4': 1 })).toMatchObject({ scope: 'project' });
    (await ask({ small: 700 })).settle(need({ small: 700 }));
    expect(await refused({ small: 1 })).toMatchObject({
      message: "The daily budget of this key for '*' is spent.",
    });
  });

  it('applies budgets that are added, changed and removed while requests run', async () => {
    const running = await ask({ 'gpt-5': 300 });
    store.put('project/p', {});
    limiter.forget('project/p');
    expect(await refused({ 'gpt-5': 9_000 })).toBeNull();
    store.put('project/p', { modelBudgets: [aBudget('gpt-*', 300), aBudget('new', 5)] });
    limiter.forget('project/p');
    expect(await refused({ 'gpt-5': 1 })).toMatchObject({ status: 429 });
    running.settle(need({ 'gpt-5': 0 }));
    expect(await refused({ 'gpt-5': 300 })).toBeNull();
    (await ask({ new: 5 })).settle(need({ new: 5 }));
    expect(await refused({ new: 1 })).toMatchObject({ status: 402 });
  });

  it('counts a cost once, before and after the sums include it', async () => {
    (await ask({ 'gpt-5': 100 })).settle(need({ 'gpt-5': 100 }));
    await clock.advance(20_000);
    store.spentOf.set('day:gpt-*', 100);
    limiter.onCommitted(clock.now());
    await clock.advance(10_000);
    (await ask({ 'gpt-5': 200 })).settle(need({ 'gpt-5': 199 }));
    expect(await refused({ 'gpt-5': 1 })).toBeNull();
    expect(await refused({ 'gpt-5': 1 })).toMatchObject({ limit: 'budget' });
  });

  it('is synchronous for models without a budget', async () => {
    await ask({ small: 1 });
    const { exchanges } = store;
    for (let n = 0; n < 5; n++) {
      expect(limiter.reserve({ keyId: 'k', projectId: 'p', ...need({ small: 1e9 }) })).toBeInstanceOf(Reservation);
    }
    expect(store.exchanges).toBe(exchanges);
  });

  it('applies the budgets by itself while the database is unavailable', async () => {
    await ask({ small: 1 });
    store.isUnavailable = true;
    (await ask({ 'gpt-5': 300 })).settle(need({ 'gpt-5': 300 }));
    expect(await refused({ 'gpt-5': 1 })).toMatchObject({ limit: 'budget' });
    expect(await refused({ small: 1 })).toBeNull();
  });
});
