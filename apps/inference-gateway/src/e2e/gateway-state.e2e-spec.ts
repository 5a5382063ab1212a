import { hostname } from 'node:os';

import type { GatewayRouteDto, GatewayStateDto, GatewayTargetDto } from '@hone/contracts';
import { type TestUser, until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { fakeUpstream, routeTo } from './faults/fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faults/faulty-gateway.fixture.js';

const PATH = '/v1/gateway';
/** Fails twice, and answers from then on. */
const RECOVERS = 'status@500+times@2';
const SLOW = 'ok+tokens@2000+pace@10';
const SECRET = 'sk-upstream-secret';

describe('GET /v1/gateway', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  let gateway: FaultyGateway;
  let operator: TestUser;
  beforeAll(async () => {
    process.env.MAIN_KEY = SECRET;
    [a, b] = [await FakeUpstream.start({ name: 'a', key: SECRET }), await FakeUpstream.start({ name: 'b' })];
    const keyed = { key_env: 'MAIN_KEY', retries: 0 };
    const main = (model: string) => ({ upstream: 'main', model });
    gateway = await startFaultyGateway({
      upstreams: [
        fakeUpstream(a, 'main', ['ok', SLOW, 'status@400', 'rate-limit+retry-after@50'], keyed),
        fakeUpstream(a, 'wavering', [RECOVERS], { ...keyed, breaker_failures: 2, breaker_open_ms: 50 }),
        fakeUpstream(a, 'broken', ['status@503'], { ...keyed, breaker_failures: 1, breaker_open_ms: 60_000 }),
        fakeUpstream(a, 'keyless', ['ok'], { retries: 0, out_ms: 60_000 }),
        fakeUpstream(a, 'narrow', [SLOW], { ...keyed, max_concurrency: 1 }),
        fakeUpstream(a, 'off', ['ok'], { enabled: false }),
        fakeUpstream(b, 'backup', ['ok']),
      ],
      routes: [
        { ...routeTo('chat', main('ok')), aliases: ['default'] },
        routeTo('recovers', { upstream: 'wavering', model: RECOVERS }, { upstream: 'backup', model: 'ok' }),
        routeTo('broken', { upstream: 'broken', model: 'status@503' }),
        routeTo('keyless', { upstream: 'keyless', model: 'ok' }, { upstream: 'backup', model: 'ok' }),
        routeTo('limited', main('rate-limit+retry-after@50'), { upstream: 'backup', model: 'ok' }),
        routeTo('refused', main('status@400')),
        routeTo('narrow', { upstream: 'narrow', model: SLOW }),
        routeTo('off', { upstream: 'off', model: 'ok' }),
      ],
    });
    operator = await gateway.user('root', { isAdmin: true });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([a.stop(), b.stop()]);
    delete process.env.MAIN_KEY;
  });

  const read = async (who: TestUser = operator, query = ''): Promise<GatewayStateDto> => {
    const answer = await gateway.as(`Bearer ${who.key}`).get(`${PATH}${query}`);
    expect(answer.status).toBe(200);
    return answer.json() as GatewayStateDto;
  };
  const targetOf = async (id: string, who?: TestUser): Promise<GatewayTargetDto> =>
    (await read(who)).targets.find((target) => target.id === id) as GatewayTargetDto;

  it('shows routes with their targets in order, each target once, and every upstream', async () => {
    const { routes, targets, upstreams } = await read();
    const routed = (id: string) => routes.find((route) => route.id === id) as GatewayRouteDto;
    expect(routed('chat')).toEqual({
      ...{ id: 'chat', kind: 'configured', aliases: ['default'], strategy: 'least_busy', stream_guard: 'passthrough' },
      ...{ queued: 0, targets: [{ target: 'main/ok', priority: 0, weight: 1 }] },
    });
    expect(routed('recovers').targets).toEqual([
      { target: `wavering/${RECOVERS}`, priority: 0, weight: 1 },
      { target: 'backup/ok', priority: 1, weight: 1 },
    ]);
    expect(routed('off').targets).toEqual([]);
    const ids = targets.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(upstreams.map(({ name, kind, enabled }) => `${name} ${kind} ${enabled}`)).toEqual([
      'local embedded true',
      ...['main', 'wavering', 'broken', 'keyless', 'narrow'].map((name) => `${name} openai-compatible true`),
      'off openai-compatible false',
      'backup openai-compatible true',
    ]);
  });

  it('names the process that answered, which is the same while it runs', async () => {
    const [first, second] = [await read(), await read()];
    expect(first.instance).toEqual({ ...second.instance, hostname: hostname() });
    expect(Date.parse(first.instance.started_at)).toBeLessThanOrEqual(Date.parse(first.read_at));
    expect(first).toMatchObject({ window_seconds: 300, file_refused: false });
  });

  it('counts attempts, and measures answers and first tokens', async () => {
    for (let count = 0; count < 3; count++) expect((await gateway.client.ask({ model: 'chat' })).isWhole).toBe(true);
    expect(await targetOf('main/ok')).toMatchObject({
      ...{ healthy: true, attempts: 3, failed: 0, in_flight: 0, max_concurrency: 64, first_token_ms: null },
      ...{ latency_ms: { p50: expect.any(Number), p99: expect.any(Number) }, failures: [] },
    });
    expect((await gateway.client.ask({ model: 'chat', stream: true })).isWhole).toBe(true);
    const { attempts, latency_ms: whole, first_token_ms: first } = await targetOf('main/ok');
    expect(attempts).toBe(4);
    expect(whole!.p50 > 0).toBe(true);
    expect(first!.p99 > 0).toBe(true);
    expect(whole!.p99 >= whole!.p50).toBe(true);
  });

  it('shows a breaker that opens, is half-open and closes, and where the requests went', async () => {
    const id = `wavering/${RECOVERS}`;
    const before = await targetOf(id);
    expect(before).toMatchObject({ healthy: true, breaker: { state: 'closed', half_open_at: null } });
    const askedAt = Date.now();
    for (const rid of ['first-1', 'second-2']) {
      const answer = await gateway.client.ask({ model: 'recovers' }, { 'x-request-id': rid });
      expect(answer.headers.get('hone-target')).toBe('backup/ok');
    }
    const halfOpen = await until(async () => {
      const target = await targetOf(id);
      return target.breaker.state === 'half-open' && target;
    }, 'the breaker to be half-open');
    const failure = {
      ...{ at: expect.any(String), route: 'recovers', attempt: 1, reason: 'failed', code: 'upstream_failed' },
      ...{ upstream_status: 500, duration_ms: expect.any(Number), forwarded: false, moved_to: 'backup/ok' },
    };
    expect(halfOpen).toMatchObject({ attempts: 2, failed: 2, latency_ms: null });
    expect(halfOpen.failures).toEqual([
      { ...failure, request_id: 'second-2', breaker: 'open' },
      { ...failure, request_id: 'first-1', breaker: 'closed' },
    ]);
    // It was open for 50 ms before. Times are read from a monotonic clock, so that they are off by a millisecond.
    const halfOpenAt = Date.parse(halfOpen.breaker.since);
    expect(halfOpenAt).toBeGreaterThanOrEqual(askedAt + 50 - 1);
    expect(halfOpenAt).toBeLessThanOrEqual(Date.now() + 1);
    const answer = await gateway.client.ask({ model: 'recovers' });
    expect(answer.headers.get('hone-target')).toBe(id);
    const after = await targetOf(id);
    expect(after).toMatchObject({ healthy: true, breaker: { state: 'closed', half_open_at: null }, attempts: 3 });
    expect(Date.parse(after.breaker.since)).toBeGreaterThanOrEqual(halfOpenAt);
    expect(after.failures).toHaveLength(2);
  });

  it('shows until when a breaker stays open', async () => {
    expect((await gateway.client.ask({ model: 'broken' })).status).toBe(503);
    const target = await targetOf('broken/status@503');
    expect(target).toMatchObject({ healthy: false, breaker: { state: 'open' }, out_until: null });
    expect(target.failures).toMatchObject([{ reason: 'overloaded', upstream_status: 503, moved_to: null }]);
    const { since, half_open_at: until } = target.breaker;
    expect(Date.parse(until as string) - Date.parse(since)).toBe(60_000);
  });

  it('shows which targets are out or cool down, and until when', async () => {
    const inAMinute = (time: string | null) => Math.abs(Date.parse(time as string) - Date.now()) < 61_000;
    expect((await gateway.client.ask({ model: 'keyless' })).isWhole).toBe(true);
    const out = await targetOf('keyless/ok');
    expect(out.healthy).toBe(false);
    expect(inAMinute(out.out_until)).toBe(true);
    expect(out.failures[0]).toEqual(
      expect.objectContaining({ reason: 'unauthorized', code: 'upstream_auth', moved_to: 'backup/ok' }),
    );
    expect((await gateway.client.ask({ model: 'limited' })).isWhole).toBe(true);
    const cooling = await targetOf('main/rate-limit+retry-after@50');
    expect(cooling.healthy).toBe(true);
    expect(inAMinute(cooling.cooling_until)).toBe(true);
    expect(cooling.failures[0]?.reason).toBe('rate_limited');
  });

  it('does not hold a request that is itself wrong against a target', async () => {
    expect((await gateway.client.ask({ model: 'refused' })).status).toBe(400);
    expect(await targetOf('main/status@400')).toMatchObject({ attempts: 1, failed: 0, failures: [] });
  });

  it('shows what runs and what waits', async () => {
    const open = [1, 2].map(() => gateway.client.open({ model: 'narrow', stream: true }));
    await until(async () => (await targetOf(`narrow/${SLOW}`)).queued === 1, 'one to wait');
    const { routes, targets } = await read();
    expect(targets.find(({ upstream }) => upstream === 'narrow')).toMatchObject({ in_flight: 1, max_concurrency: 1 });
    expect(routes.find(({ id }) => id === 'narrow')).toMatchObject({ queued: 1 });
    for (const request of open) request.leave();
    await until(async () => (await targetOf(`narrow/${SLOW}`)).in_flight === 0, 'none to run');
    // An attempt that its caller aborted says nothing about the target.
    expect(await targetOf(`narrow/${SLOW}`)).toMatchObject({ queued: 0, attempts: 0, failed: 0 });
  });

  it('has no key, no path of an address, and nothing that was asked or answered', async () => {
    const text = 'my-very-private-question';
    await gateway.client.ask({ model: 'broken', messages: [{ role: 'user', content: text }], user: text });
    await gateway.client.ask({ model: 'keyless', messages: [{ role: 'user', content: text }] });
    const shown = JSON.stringify(await read());
    for (const secret of [SECRET, text, 'http://', '/v1/', 'fake']) expect(shown).not.toContain(secret);
    expect(shown).toContain(`"host":"${new URL(a.baseUrl).host}"`);
  });

  it.each([
    ['a reader', { roles: { acme: 'reader' as const } }],
    ['an administrator’s key for applications', { isAdmin: true, scopes: ['inference' as const] }],
    ['an administrator’s key for one project', { isAdmin: true, onlyProject: 'acme/one' }],
  ])('shows no addresses, machines and request ids to %s', async (about, options) => {
    const state = await read(await gateway.user(`see-${about.replaceAll(/\W/g, '-')}`, options));
    expect(state.instance.hostname).toBeNull();
    expect(new Set(state.upstreams.map(({ host }) => host))).toEqual(new Set([null]));
    const failures = state.targets.flatMap(({ failures }) => failures);
    expect(failures.length).toBeGreaterThan(2);
    expect(new Set(failures.map(({ request_id: id }) => id))).toEqual(new Set([null]));
    expect(JSON.stringify(state)).not.toContain(new URL(a.baseUrl).host);
  });

  it('shows as many failures as are asked for', async () => {
    const counts = async (query: string) =>
      (await read(operator, query)).targets.map(({ failures }) => failures.length).filter((count) => count > 0);
    expect(Math.max(...(await counts('')))).toBe(2);
    expect(new Set(await counts('?failures=1'))).toEqual(new Set([1]));
    expect(await counts('?failures=0')).toEqual([]);
  });

  it.each(['-1', '21', '1.5', 'many', '', '9'.repeat(400)])('refuses failures=%s', async (value) => {
    const { status, json, text } = await gateway.as(`Bearer ${operator.key}`).get(`${PATH}?failures=${value}`);
    expect(json().detail[0].loc).toEqual(['query', 'failures']);
    expect(text.length < 2_000).toBe(true);
    expect(status).toBe(422);
  });

  it('needs a key', async () => {
    expect((await gateway.as(undefined).get(PATH)).status).toBe(401);
    expect((await gateway.as('Bearer hone_wrong').get(PATH)).status).toBe(401);
  });

  it('takes HEAD', async () => {
    const response = await fetch(gateway.client.url + PATH, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${operator.key}` },
    });
    expect(await response.text()).toBe('');
    expect(response.status).toBe(200);
  });
});
