import { newId } from '@hone/database';
import { startTestApp, type TestApp, type TestUser, until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { InferenceGatewayModule } from '../../inference-gateway.module.js';
import { type ModelBudget, NO_LIMITS } from '../../metering/limits/limits.js';
import { LimitsRepository } from '../../metering/limits/limits.repository.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { COST_NANO_USD, fakeUpstream, PRICE } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';
import type { GatewayAnswer } from './gateway-answer.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';

const MODELS = ['ok', 'status@500', 'ok+pace@200'];

describe('budgets of models', () => {
  let fake: FakeUpstream;
  let gateway: FaultyGateway;
  let other: TestApp;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'a' });
    const route = (id: string, model: string, upstream = 'up') => ({
      ...{ id, price: PRICE, aliases: [`${id}-too`] },
      targets: [{ upstream, model }],
    });
    const configuration = {
      upstreams: [
        fakeUpstream(fake, 'up', MODELS, { retries: 0 }),
        fakeUpstream(fake, 'plain', [], { models: [{ name: 'ok', capabilities: [] }] }),
      ],
      routes: [
        route('big-1', 'ok'),
        route('big-2', 'ok'),
        route('small', 'ok'),
        route('broken', 'status@500'),
        route('slow', 'ok+pace@200'),
        route('plain', 'ok', 'plain'),
      ],
    };
    gateway = await startFaultyGateway(configuration);
    other = await startTestApp(InferenceGatewayModule, { databaseUrl: gateway.url });
    await other.app.listen(0, '127.0.0.1');
  });
  beforeEach(() => fake.forget());
  afterAll(async () => {
    await other.close();
    await gateway.close();
    await fake.stop();
  });

  const budget = (model: string, answers: number): ModelBudget => ({
    ...{ model, monthlyBudgetNanoUsd: null },
    dailyBudgetNanoUsd: answers * COST_NANO_USD,
  });
  async function limitedUser(...modelBudgets: ModelBudget[]): Promise<TestUser> {
    const user = await gateway.user(`user${newId().slice(-8)}`, { roles: { acme: 'writer' } });
    await gateway.app.get(LimitsRepository).put({ scope: 'key', id: user.keyId }, { ...NO_LIMITS, modelBudgets });
    return user;
  }
  const clientOf = async ({ key }: { key: string }, { app }: Pick<TestApp, 'app'> = gateway) =>
    new GatewayClient(await app.getUrl(), key);
  const flush = () => Promise.all([gateway, other].map(({ app }) => app.get(MeteringService).flush()));
  const spent = async (client: GatewayClient, fields: Record<string, unknown>): Promise<GatewayAnswer> => {
    // Until its next exchange with the database, a gateway may take what is spent for what another one reserves.
    await until(async () => (await client.ask(fields)).status === 402, 'the spent budget');
    return client.ask(fields);
  };
  const spentOn = async ({ keyId }: TestUser) => {
    await flush();
    const rows = await gateway.sql<{ model: string; cost: number }>(
      `SELECT model, cost_nano_usd::int AS cost FROM usage_models WHERE subject_id = $1 AND period = 'day' ORDER BY model`,
      [keyId],
    );
    return Object.fromEntries(rows.map(({ model, cost }) => [model, cost]));
  };

  it('refuse these models once they are spent, over all gateways, while others answer', async () => {
    const user = await limitedUser(budget('big-*', 2), budget('small', 1_000));
    const clients = [await clientOf(user), await clientOf(user, other)];
    for (const [at, model] of ['big-1', 'big-2-too'].entries()) {
      // A gateway may hold the whole budget for a moment after its request.
      await until(async () => (await clients[at]?.ask({ model }))?.status === 200, 'an answer');
      await flush();
    }
    for (const client of clients) {
      const refused = await spent(client, { model: 'big-1' });
      expect(refused.status).toBe(402);
      const message = "The daily budget of this key for 'big-*' is spent.";
      const error = { message, type: 'insufficient_quota', code: 'budget_exceeded', param: null };
      expect(refused.frames[0]).toEqual({ error, detail: message });
      expect(refused.headers.get('x-should-retry')).toBe('false');
      expect((await client.ask({ model: 'small' })).status).toBe(200);
      expect((await client.ask({ model: 'slow', stream: true })).isWhole).toBe(true);
    }
    expect(await spentOn(user)).toMatchObject({ 'big-1': COST_NANO_USD, 'big-2': COST_NANO_USD });
  });

  it('of a project hold for all of its keys, beside those of a key', async () => {
    const users = [await limitedUser(), await limitedUser(budget('*', 9))] as const;
    const [project] = await gateway.sql<{ id: string }>(
      `INSERT INTO projects (id, entity_id, name, created_by)
       SELECT $1, entities.id, 'budgeted', $2 FROM entities WHERE name = 'acme' RETURNING id`,
      [newId(), users[0].id],
    );
    const limits = { ...NO_LIMITS, modelBudgets: [budget('small', 1)] };
    await gateway.app.get(LimitsRepository).put({ scope: 'project', id: project?.id ?? '' }, limits);
    const headers = { 'hone-project': 'acme/budgeted' };
    const [one, two] = [await clientOf(users[0]), await clientOf(users[1])];
    expect((await one.ask({ model: 'small' }, headers)).status).toBe(200);
    await flush();
    for (const client of [one, two]) {
      const refused = await client.ask({ model: 'small' }, headers);
      expect(refused.frames[0]).toMatchObject({
        error: { message: "The daily budget of this project for 'small' is spent." },
      });
      expect((await client.ask({ model: 'big-1' }, headers)).status).toBe(200);
    }
  });

  it('are charged for the model that answered, not for the one that was asked for', async () => {
    const user = await limitedUser(budget('broken', 1), budget('small', 2));
    const client = await clientOf(user);
    for (let count = 0; count < 2; count++) {
      expect((await client.ask({ models: ['broken', 'small'] })).headers.get('hone-route')).toBe('small');
    }
    expect(await spentOn(user)).toEqual({ small: 2 * COST_NANO_USD });
    expect((await spent(client, { model: 'small' })).errorCode).toBe('budget_exceeded');
    expect((await client.ask({ model: 'broken' })).status).toBe(502);
  });

  it('leave out a model of several, the first as well as a later one', async () => {
    const user = await limitedUser(budget('big-1', 0), budget('small', 9));
    const client = await clientOf(user);
    const first = await client.ask({ models: ['big-1', 'small', 'slow'] });
    expect(first.headers.get('hone-route')).toBe('small');
    expect(first.headers.get('hone-attempts')).toBe('1');
    expect(await spentOn(user)).toEqual({ small: COST_NANO_USD });
    const second = await client.ask({ model: 'small', fallbacks: ['big-1'], stream: true });
    expect(second.headers.get('hone-route')).toBe('small');
    // The fallback would answer if its budget let it.
    expect((await client.ask({ models: ['broken', 'big-1'] })).status).toBe(502);
    expect((await client.ask({ models: ['broken', 'big-2'] })).status).toBe(200);
    expect((await client.ask({ models: ['big-1'] })).status).toBe(402);
  });

  it('refuse a request when those of all its models are spent, or only such a model could answer it', async () => {
    const client = await clientOf(await limitedUser(budget('big-*', 0)));
    const all = await client.ask({ models: ['big-1', 'big-2'] });
    expect({ status: all.status, code: all.errorCode }).toEqual({ status: 402, code: 'budget_exceeded' });
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }];
    const unfit = await client.ask({ models: ['big-1', 'plain'], tools });
    expect({ status: unfit.status, code: unfit.errorCode }).toEqual({ status: 402, code: 'budget_exceeded' });
    expect((await client.ask({ models: ['plain'], tools })).status).toBe(422);
    expect((await client.ask({ models: ['small', 'plain'], tools })).status).toBe(200);
    expect((await client.ask({ models: ['big-1', 'plain'] })).headers.get('hone-route')).toBe('plain');
    expect(fake.count()).toBe(2);
  });

  it('ask for patience while running requests reserve the rest', async () => {
    const client = await clientOf(await limitedUser(budget('slow', 2)));
    const running = client.open({ model: 'slow', stream: true });
    await until(() => fake.count() === 1, 'the request');
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.ask({ model: 'slow' })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, errorCode, headers } of refused) {
      expect({ status, errorCode, after: headers.get('retry-after') }).toEqual({
        ...{ status: 429, errorCode: 'budget_reserved', after: '1' },
      });
    }
    running.leave();
  });

  it('are not spent twice by many requests at once at two gateways', async () => {
    const user = await limitedUser(budget('big-*', 3));
    const clients = [await clientOf(user), await clientOf(user, other)] as const;
    await until(async () => {
      const asked = Array.from({ length: 20 }, (_, n) =>
        (clients[n % 2] as GatewayClient).ask({ model: `big-${1 + (n % 2)}` }),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      await flush();
      return statuses.every((status) => status === 402);
    }, 'the spent budget');
    expect(fake.count()).toBe(3);
    expect(Object.values(await spentOn(user)).reduce((sum, cost) => sum + cost, 0)).toBe(3 * COST_NANO_USD);
  });

  it.each([
    ['/v1/responses', { input: 'hi' }, 'insufficient_quota'],
    ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }, 'billing_error'],
  ])('refuse at %s, too, in its form', async (path, more, type) => {
    const { key } = await limitedUser(budget('big-*', 0));
    const ask = async (model: string) => {
      const answer = await gateway.as(`Bearer ${key}`).post(path, { model, ...more });
      return { status: answer.status, error: answer.json().error as unknown };
    };
    expect(await ask('big-1')).toMatchObject({
      ...{ status: 402, error: { type, message: expect.stringContaining("for 'big-*' is spent") } },
    });
    expect(await ask('small')).toMatchObject({ status: 200 });
  });

  it('are charged for what was produced before a caller left', async () => {
    const user = await limitedUser(budget('slow', 100));
    const { head, leave } = (await clientOf(user)).open({ model: 'slow', stream: true });
    const response = await head;
    await new Promise((resolve) => response.once('data', resolve));
    leave();
    const cost = await until(async () => (await spentOn(user))['slow'], 'the cost');
    expect(cost).toBeGreaterThan(0);
  });
});
