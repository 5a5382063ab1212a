import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { newId } from '@hone/database';
import { startTestApp, type TestApp, until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';
import OpenAI from 'openai';

import { InferenceGatewayModule } from '../../inference-gateway.module.js';
import { type Limits, NO_LIMITS } from '../../metering/limits/limits.js';
import { LimitsRepository } from '../../metering/limits/limits.repository.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { COST_NANO_USD, fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';

const TOKENS_PER_MINUTE = 12_000;
const ANSWER = 'ok+tokens@400';
const SLOW = 'ok+headers@200';
const MODELS = ['ok', 'silent', ANSWER, SLOW, 'status@400'];
/** Usage that the fake reports for such an answer: its prompt, its tokens and the end token. */
const ANSWER_TOKENS = 9 + 401;

describe('limits', () => {
  let fake: FakeUpstream;
  let first: FaultyGateway;
  const others: TestApp[] = [];
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'a' });
    first = await startFaultyGateway({
      upstreams: [fakeUpstream(fake, 'up', MODELS)],
      routes: MODELS.map((model) => routeTo(model, { upstream: 'up', model })),
    });
    for (let count = 0; count < 2; count++) {
      const other = await startTestApp(InferenceGatewayModule, { databaseUrl: first.url });
      await other.app.listen(0, '127.0.0.1');
      others.push(other);
    }
  });
  beforeEach(() => fake.forget());
  afterAll(async () => {
    for (const other of others) await other.close();
    await first.close();
    await fake.stop();
  });

  async function limitedUser(limits: Partial<Limits>) {
    const user = await first.user(`user${newId().slice(-8)}`);
    await first.app.get(LimitsRepository).put({ scope: 'key', id: user.keyId }, { ...NO_LIMITS, ...limits });
    return user;
  }
  const clientsOf = async ({ key }: { key: string }) =>
    Promise.all([first, ...others].map(async ({ app }) => new GatewayClient(await app.getUrl(), key)));

  it('of tokens are shared by three gateways, and a retry after Retry-After succeeds', async () => {
    const clients = await clientsOf(await limitedUser({ tokensPerMinute: TOKENS_PER_MINUTE }));
    const ask = (n: number) => (clients[n % 3] as GatewayClient).ask({ model: ANSWER, max_tokens: 400 });
    const startedMs = Date.now();
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n)));
    const refill = ((Date.now() - startedMs) / 60_000) * TOKENS_PER_MINUTE;
    const passed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.length * ANSWER_TOKENS).toBeLessThanOrEqual(TOKENS_PER_MINUTE + refill);
    for (const answer of refused) {
      expect(answer.errorCode).toBe('rate_limit_tokens');
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(fake.count()).toBe(passed.length);
    // Another gateway returns its grants after a while, so a client may have to wait twice.
    await until(async () => {
      const answer = await ask(0);
      await sleep(Number(answer.headers.get('retry-after-ms') ?? 0));
      return answer.status === 200;
    });
  });

  it('of a budget end with 402, which clients do not repeat', async () => {
    const { key } = await limitedUser({ monthlyBudgetNanoUsd: 2 * COST_NANO_USD });
    let calls = 0;
    const openai = new OpenAI({
      apiKey: key,
      baseURL: `${await first.app.getUrl()}/v1`,
      maxRetries: 3,
      fetch: (input, init) => {
        calls++;
        return fetch(input, init);
      },
    });
    const spend = async () => {
      await openai.chat.completions.create({ model: 'ok', messages: [{ role: 'user', content: 'hi' }] });
      await first.app.get(MeteringService).flush();
    };
    await spend();
    await spend();
    calls = 0;
    await expect(spend()).rejects.toMatchObject({ status: 402, code: 'budget_exceeded', type: 'insufficient_quota' });
    expect(calls).toBe(1);
    expect(fake.count()).toBe(2);
  });

  it('of a day’s budget hold over three gateways, and over one that starts later', async () => {
    const limited = await limitedUser({ dailyBudgetNanoUsd: 2 * COST_NANO_USD, monthlyBudgetNanoUsd: 1e12 });
    const clients = await clientsOf(limited);
    const flushAll = () => Promise.all([first, ...others].map(({ app }) => app.get(MeteringService).flush()));
    for (const client of clients.slice(0, 2)) {
      // A gateway may hold the whole budget for a moment after its request.
      await until(async () => (await client.ask({ model: 'ok' })).status === 200, 'an answer');
      await flushAll();
    }
    const later = await startTestApp(InferenceGatewayModule, { databaseUrl: first.url });
    try {
      await later.app.listen(0, '127.0.0.1');
      const fourth = new GatewayClient(await later.app.getUrl(), limited.key);
      for (const client of [...clients, fourth]) {
        const refused = () => client.ask({ model: 'ok' });
        // Until its next exchange with the database, a gateway may take what is spent for what another one reserves.
        await until(async () => (await refused()).status === 402, 'the spent budget');
        expect(await refused()).toMatchObject({ status: 402, errorCode: 'budget_exceeded' });
      }
    } finally {
      await later.close();
    }
    expect(fake.count()).toBe(2);
  });

  it('of a budget ask for patience while running requests reserve the rest of it', async () => {
    const [client] = (await clientsOf(await limitedUser({ monthlyBudgetNanoUsd: 20 * COST_NANO_USD }))) as [
      GatewayClient,
    ];
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.ask({ model: SLOW })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, errorCode, headers } of refused) {
      expect(errorCode).toBe('budget_reserved');
      expect(headers.get('retry-after')).toBe('1');
      expect(status).toBe(429);
    }
    // Their reservations were larger than their costs: the rest is free again.
    expect((await client.ask({ model: 'ok' })).status).toBe(200);
  });

  it('are shown on every answer: of success, of failure, and of a refusal', async () => {
    const limited = await limitedUser({ requestsPerMinute: 4, tokensPerMinute: 100_000 });
    const [client] = (await clientsOf(limited)) as [GatewayClient];
    const shown = async (body: Record<string, unknown>) => {
      const { status, headers } = await client.ask(body);
      const of = (unit: string) =>
        ['limit', 'remaining', 'reset'].map((part) => headers.get(`x-ratelimit-${part}-${unit}`) ?? 'missing');
      return { status, requests: of('requests'), tokens: of('tokens') };
    };
    const known = (remaining: string) => ['4', remaining, expect.stringMatching(/^\d+s$/)];
    const tokens = ['100000', expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+s$/)];
    expect(await shown({ model: 'ok' })).toEqual({ status: 200, requests: known('3'), tokens });
    expect(await shown({ model: 'ok', stream: true })).toEqual({ status: 200, requests: known('2'), tokens });
    expect(await shown({ model: 'status@400' })).toEqual({ status: 400, requests: known('1'), tokens });
    expect(await shown({ model: 'ok', top_p: 7 })).toEqual({ status: 422, requests: known('1'), tokens });
    expect(await shown({ model: 'unknown' })).toEqual({ status: 404, requests: known('1'), tokens });
    expect(await shown({ model: 'ok' })).toMatchObject({ status: 200 });
    expect(await shown({ model: 'ok' })).toEqual({ status: 429, requests: known('0'), tokens });
  });

  it('of requests at once hold over all gateways', async () => {
    const clients = await clientsOf(await limitedUser({ concurrentRequests: 4 }));
    const asked = Array.from({ length: 30 }, (_, n) => (clients[n % 3] as GatewayClient).open({ model: 'silent' }));
    const refusals: string[] = [];
    for (const { head } of asked)
      void head.then(text).then(
        (body) => refusals.push(body),
        () => undefined,
      );
    // Those that pass stay.
    await until(() => refusals.length + fake.count() === 30, 'a word on each request');
    expect(fake.count()).toBeGreaterThan(0);
    expect(fake.count()).toBeLessThanOrEqual(4);
    for (const body of refusals) expect(JSON.parse(body)).toMatchObject({ error: { code: 'concurrency_limit' } });
    for (const { leave } of asked) leave();
    await until(async () => (await (clients[1] as GatewayClient).ask({ model: 'ok' })).status === 200);
  });

  it('and usage belong to the project that a request names', async () => {
    const user = await first.user('paula', { roles: { acme: 'writer' } });
    const [client] = (await clientsOf(user)) as [GatewayClient];
    const [project] = await first.sql<{ id: string }>(
      `INSERT INTO projects (id, entity_id, name, created_by)
       SELECT $1, entities.id, 'named', $2 FROM entities WHERE name = 'acme' RETURNING id`,
      [newId(), user.id],
    );
    const [rid, header] = [newId(), 'OpenAI-Project'];
    expect((await client.ask({ model: 'ok' }, { 'x-request-id': rid, [header]: 'acme/named' })).status).toBe(200);
    await first.used(rid);
    expect(await first.db.client.usageRecord.findFirst({ where: { rid } })).toMatchObject({ projectId: project?.id });
    const refused = await client.ask({ model: 'ok' }, { [header]: 'acme/unknown' });
    expect(refused.errorCode).toBe('project_forbidden');
    expect(fake.count()).toBe(1);
    expect(refused.status).toBe(403);
  });
});
