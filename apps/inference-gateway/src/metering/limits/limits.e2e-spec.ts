import { newId, NotificationListener } from '@hone/database';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { SYSTEM_CLOCK } from '../../shared/time/clock.js';
import type { GrantRequest } from './grants.js';
import { LimitExceededError } from './limits.errors.js';
import { type Limits, NO_LIMITS, type Subject } from './limits.js';
import { LIMITS_CHANNEL, LimitsRepository } from './limits.repository.js';
import type { Reservation } from './reservation.js';
import { UsageLimiter } from './usage-limiter.js';

const NOTHING: GrantRequest = {
  requests: { want: 0, back: 0 },
  tokens: { want: 0, back: 0 },
  slots: { hold: 0, inUse: 0 },
  budgets: {},
};

describe('limits in the database', () => {
  let database: TestDatabase;
  let limits: LimitsRepository;
  beforeAll(async () => {
    database = await createTestDatabase();
    limits = new LimitsRepository(database.db);
  });
  afterAll(() => database.drop());

  async function aSubject(some: Partial<Limits> = {}): Promise<Subject> {
    const subject: Subject = { scope: 'key', id: newId() };
    await limits.put(subject, { ...NO_LIMITS, ...some });
    return subject;
  }
  const exchange = (subject: Subject, request: Partial<GrantRequest>, holder = 'a') =>
    limits.exchange(subject, holder, { ...NOTHING, ...request });
  const takeTokens = async (subject: Subject, want: number, back = 0) =>
    (await exchange(subject, { tokens: { want, back } }))?.tokens.granted;
  /** As if `seconds` had passed since the last exchange. */
  const wait = (subject: Subject, seconds: number) =>
    database.sql(
      `UPDATE usage_limits SET refilled_at = refilled_at - make_interval(secs => $2) WHERE subject_id = $1`,
      [subject.id, seconds],
    );

  it('are found for many subjects, in order', async () => {
    const some = {
      requestsPerMinute: 1,
      tokensPerMinute: 2,
      concurrentRequests: 3,
      dailyBudgetNanoUsd: 5e14,
      monthlyBudgetNanoUsd: 4e15,
      modelBudgets: [
        { model: 'gpt-*', dailyBudgetNanoUsd: 9e15, monthlyBudgetNanoUsd: null },
        { model: 'big', dailyBudgetNanoUsd: null, monthlyBudgetNanoUsd: 0 },
      ],
    };
    const known = await aSubject(some);
    expect(await limits.findAll([{ scope: 'project', id: known.id }, known])).toEqual([null, some]);
  });

  it('grant nothing to a subject without limits', async () => {
    expect(await exchange({ scope: 'key', id: newId() }, {})).toBeNull();
  });

  /** What flowed in while the statements ran comes on top. */
  const expectAbout = (actual: number | undefined, wanted: number, perMinute: number, sinceMs: number) => {
    expect(actual).toBeGreaterThanOrEqual(wanted - 0.5);
    expect(actual).toBeLessThanOrEqual(wanted + 0.5 + ((Date.now() - sinceMs) / 60_000) * perMinute);
  };

  it('start full, grant at most what is left, and refill up to the limit', async () => {
    const subject = await aSubject({ tokensPerMinute: 600 });
    const startedMs = Date.now();
    expect(await takeTokens(subject, 500)).toBe(500);
    expectAbout(await takeTokens(subject, 500), 100, 600, startedMs);
    await wait(subject, 10);
    expectAbout(await takeTokens(subject, 500), 100, 600, startedMs);
    await wait(subject, 1_000);
    expect(await takeTokens(subject, 10_000)).toBe(600);
  });

  it('accept unused tokens and debts', async () => {
    const subject = await aSubject({ tokensPerMinute: 100 });
    const startedMs = Date.now();
    await takeTokens(subject, 100);
    expectAbout(await takeTokens(subject, 100, 30), 30, 100, startedMs);
    const grant = await exchange(subject, { tokens: { want: 10, back: -50 } });
    expect(grant?.tokens.granted).toBe(0);
    expectAbout(grant?.tokens.level, -50, 100, startedMs);
  });

  it('hold slots for each process until its hold expires', async () => {
    const subject = await aSubject({ concurrentRequests: 5 });
    const hold = async (amount: number, inUse: number, holder: string) =>
      (await exchange(subject, { slots: { hold: amount, inUse } }, holder))?.slots;
    expect(await hold(4, 0, 'a')).toBe(4);
    expect(await hold(3, 0, 'b')).toBe(1);
    expect(await hold(2, 0, 'a')).toBe(2);
    expect(await hold(9, 0, 'b')).toBe(3);
    await database.sql(
      `UPDATE usage_limits SET slot_leases = jsonb_set(slot_leases, '{a,1}', '0') WHERE subject_id = $1`,
      [subject.id],
    );
    expect(await hold(9, 0, 'b')).toBe(5);
    expect(await hold(2, 2, 'a')).toBe(2); // answers that run are not ended
    expect(await hold(9, 0, 'c')).toBe(0);
  });

  it('compare a budget with the spending of the month', async () => {
    const subject = await aSubject({ monthlyBudgetNanoUsd: 1_000 });
    await database.sql(
      `INSERT INTO usage_months SELECT 'key', $1, date_trunc('month', now() AT TIME ZONE 'UTC') - back * interval '1 month', cost
       FROM (VALUES (0, 300), (1, 5000)) AS month (back, cost)`,
      [subject.id],
    );
    const hold = async (amount: number, holder: string) =>
      (await exchange(subject, { budgets: { month: { hold: amount, inUse: 0 } } }, holder))?.budgets['month']?.held;
    expect(await hold(500, 'a')).toBe(500);
    expect(await hold(500, 'b')).toBe(200);
    expect((await exchange(subject, {}))?.budgets['month']?.spent).toBe(300);
  });

  it('compare a daily budget with the spending of the day', async () => {
    const subject = await aSubject({ dailyBudgetNanoUsd: 1_000, monthlyBudgetNanoUsd: 9_000 });
    await database.sql(
      `INSERT INTO usage_days SELECT 'key', $1, (now() AT TIME ZONE 'UTC')::date - back, cost
       FROM (VALUES (0, 300), (1, 5000)) AS day (back, cost)`,
      [subject.id],
    );
    const hold = async (amount: number, holder: string) =>
      (
        await exchange(
          subject,
          { budgets: { day: { hold: amount, inUse: 0 }, month: { hold: amount, inUse: 0 } } },
          holder,
        )
      )?.budgets;
    expect(await hold(500, 'a')).toEqual({ day: { held: 500, spent: 300 }, month: { held: 500, spent: 0 } });
    expect(await hold(500, 'b')).toEqual({ day: { held: 200, spent: 300 }, month: { held: 500, spent: 0 } });
    expect(await hold(0, 'a')).toMatchObject({ day: { held: 0 } });
    expect(await hold(900, 'b')).toMatchObject({ day: { held: 700 }, month: { held: 900 } });
  });

  it('keep what earlier gateways reserve of a month, and know no leases of other budgets in their rows', async () => {
    const subject = await aSubject({ dailyBudgetNanoUsd: 1_000, monthlyBudgetNanoUsd: 1_000 });
    await database.sql(
      `UPDATE usage_limits SET budget_leases = jsonb_build_object('old', jsonb_build_array(400, extract(epoch FROM now()) + 15))
       WHERE subject_id = $1`,
      [subject.id],
    );
    const hold = { hold: 900, inUse: 0 };
    expect((await exchange(subject, { budgets: { day: hold, month: hold } }))?.budgets).toEqual({
      day: { held: 900, spent: 0 },
      month: { held: 600, spent: 0 },
    });
    const [row] = await database.sql(
      `SELECT array(SELECT jsonb_object_keys(budget_leases) ORDER BY 1) AS month,
         array(SELECT jsonb_object_keys(further_leases) ORDER BY 1) AS other FROM usage_limits WHERE subject_id = $1`,
      [subject.id],
    );
    expect(row).toEqual({ month: ['a', 'old'], other: ['day'] });
  });

  it('keep the leases of a budget that is removed and set again', async () => {
    const subject = await aSubject({ dailyBudgetNanoUsd: 1_000, monthlyBudgetNanoUsd: 1_000 });
    const hold = (amount: number) => ({ day: { hold: amount, inUse: 0 }, month: { hold: amount, inUse: 0 } });
    await exchange(subject, { budgets: hold(600) }, 'a');
    await limits.put(subject, NO_LIMITS);
    await exchange(subject, { budgets: hold(0) }, 'b');
    await limits.put(subject, { ...NO_LIMITS, dailyBudgetNanoUsd: 1_000, monthlyBudgetNanoUsd: 1_000 });
    expect((await exchange(subject, { budgets: hold(900) }, 'b'))?.budgets).toMatchObject({
      day: { held: 400 },
      month: { held: 400 },
    });
  });

  describe('of models', () => {
    const aBudget = (model: string, daily: number | null, monthly: number | null = null) => ({
      model,
      dailyBudgetNanoUsd: daily,
      monthlyBudgetNanoUsd: monthly,
    });
    const spend = async (
      { id }: Subject,
      ...costs: readonly (readonly [model: string, cost: number, daysAgo?: number])[]
    ) => {
      for (const [model, cost, daysAgo = 0] of costs) {
        await database.sql(
          `INSERT INTO usage_models SELECT 'key', $1, period, date_trunc(period, (now() AT TIME ZONE 'UTC') - make_interval(days => $2)), $3, $4
           FROM (VALUES ('day'), ('month')) AS one (period)
           ON CONFLICT (scope, subject_id, period, since, model) DO UPDATE SET cost_nano_usd = usage_models.cost_nano_usd + $4`,
          [id, daysAgo, model, cost],
        );
      }
    };
    const spentOf = async (subject: Subject, ...models: string[]) => {
      await limits.put(subject, { ...NO_LIMITS, modelBudgets: models.map((model) => aBudget(model, 9_000, 9_000)) });
      const budgets = (await exchange(subject, {}))?.budgets ?? {};
      return models.map((model) => budgets[`day:${model}`]?.spent);
    };

    it('compare a budget with the spending on the models that its name stands for', async () => {
      const subject = await aSubject();
      await spend(
        subject,
        ['gpt-5', 1],
        ['gpt-5-mini', 20],
        ['gpt-5*', 300],
        ['gpt', 4_000],
        ['gpt-\u{10fffd}ü', 50_000],
      );
      await spend(subject, ['GPT-5', 600_000], ['hpt', 7_000_000], ['gpt-5', 80_000_000, 40]);
      await spend(await aSubject(), ['gpt-5', 1e9]);
      expect(await spentOf(subject, 'gpt-5', 'gpt-5*', 'gpt-*', 'gpt%', 'gpt_5', 'g', '*', 'gpt-*5')).toEqual([
        1, 321, 50_321, 0, 0, 0, 7_654_321, 0,
      ]);
    });

    it('grant what is left of each, beside those of all', async () => {
      const modelBudgets = [aBudget('gpt-*', 1_000, 5_000), aBudget('other', null, 100)];
      const subject = await aSubject({ monthlyBudgetNanoUsd: 8_000, modelBudgets });
      await spend(subject, ['gpt-5', 300], ['other', 30]);
      const hold = (amount: number) => ({ hold: amount, inUse: 0 });
      const names = ['month', 'day:gpt-*', 'month:gpt-*', 'day:other', 'month:other', 'day:unknown'];
      const request = (amount: number) => ({ budgets: Object.fromEntries(names.map((name) => [name, hold(amount)])) });
      expect((await exchange(subject, request(500), 'a'))?.budgets).toEqual({
        day: { held: 0, spent: 0 },
        month: { held: 500, spent: 0 },
        'day:gpt-*': { held: 500, spent: 300 },
        'month:gpt-*': { held: 500, spent: 300 },
        'month:other': { held: 70, spent: 30 },
      });
      expect((await exchange(subject, request(500), 'b'))?.budgets).toMatchObject({
        month: { held: 500 },
        'day:gpt-*': { held: 200 },
        'month:gpt-*': { held: 500 },
        'month:other': { held: 0 },
      });
    });

    it('keep the leases of a budget that is removed and set again, and forget it when they have expired', async () => {
      const modelBudgets = [aBudget('gpt-*', 1_000)];
      const subject = await aSubject({ modelBudgets });
      const hold = (amount: number) => ({ budgets: { 'day:gpt-*': { hold: amount, inUse: 0 } } });
      await exchange(subject, hold(600), 'a');
      await limits.put(subject, NO_LIMITS);
      await exchange(subject, {}, 'b');
      await limits.put(subject, { ...NO_LIMITS, modelBudgets });
      expect((await exchange(subject, hold(900), 'b'))?.budgets['day:gpt-*']?.held).toBe(400);
      await limits.put(subject, NO_LIMITS);
      await database.sql(
        `UPDATE usage_limits SET further_leases = '{"day:gpt-*": {"a": [600, 1], "b": [400, 1]}}' WHERE subject_id = $1`,
        [subject.id],
      );
      for (let count = 0; count < 2; count++) await exchange(subject, {}, 'b');
      expect(
        await database.sql(`SELECT further_leases AS leases FROM usage_limits WHERE subject_id = $1`, [subject.id]),
      ).toEqual([{ leases: { day: {} } }]);
    });
  });

  it('grant no token twice to concurrent statements', async () => {
    const subject = await aSubject({ tokensPerMinute: 60 });
    const startedMs = Date.now();
    const granted = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        exchange(subject, { tokens: { want: 7, back: 0 }, slots: { hold: n, inUse: 0 } }),
      ),
    );
    const total = granted.reduce((sum, grant) => sum + (grant?.tokens.granted ?? 0), 0);
    expect(total).toBeGreaterThanOrEqual(60);
    expect(total).toBeLessThanOrEqual(60 + Math.ceil((Date.now() - startedMs) / 1_000));
  });

  it('of 100 tokens grant at most 100 to 50 concurrent requests at three gateways', async () => {
    const key = await aSubject({ tokensPerMinute: 100 });
    const project: Subject = { scope: 'project', id: newId() };
    await limits.put(project, { ...NO_LIMITS, tokensPerMinute: 100_000, concurrentRequests: 100 });
    const replicas = ['x', 'y', 'z'].map((holder) => new UsageLimiter(limits, { clock: SYSTEM_CLOCK, holder }));
    const startedMs = Date.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, n) =>
        (replicas[n % 3] as UsageLimiter).reserve({ keyId: key.id, projectId: project.id, tokens: 10, costNanoUsd: 0 }),
      ),
    );
    const passed = outcomes.filter((one): one is PromiseFulfilledResult<Reservation> => one.status === 'fulfilled');
    const refused = outcomes.filter((one): one is PromiseRejectedResult => one.status === 'rejected');
    const refill = ((Date.now() - startedMs) / 60_000) * 100;
    expect(passed.length * 10).toBeLessThanOrEqual(100 + refill);
    expect(passed.length).toBeGreaterThan(0);
    expect(refused.every(({ reason }) => reason instanceof LimitExceededError)).toBe(true);
    expect(refused.every(({ reason }) => Number(reason.headers['retry-after']) >= 1)).toBe(true);
    for (const { value } of passed) value.settle({ tokens: 10, costNanoUsd: 0 });
    await Promise.all(replicas.map((one) => one.stop()));
    const [{ level, leases } = { level: 0, leases: {} }] = await database.sql<{ level: number; leases: object }>(
      `SELECT sum(token_level) AS level, jsonb_agg(slot_leases) AS leases FROM usage_limits WHERE subject_id IN ($1, $2)`,
      [key.id, project.id],
    );
    const used = 100_100 - passed.length * 20;
    expect(level).toBeGreaterThanOrEqual(used - 1);
    expect(leases).toEqual([{}, {}]);
  });

  it('notify all processes of a change', async () => {
    const listener = new NotificationListener(database.url);
    const heard = new Promise((resolve) => void listener.listen(LIMITS_CHANNEL, resolve).then(() => aSubject()));
    expect(await heard).toMatch(/^key\/[0-9a-f-]{36}$/);
    await listener.close();
  });
});
