import { newId } from '@hone/database';

import { startGatewayApp } from '../gateway-app.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';
import { KeyedServer } from './keyed-server.fixture.js';

const KEYS = { KEY_A: 'sk-first-secret', KEY_B: 'sk-second-secret', KEY_C: 'sk-third-secret' };
const [A, B, C] = Object.values(KEYS) as [string, string, string];
/** `Retry-After` has whole seconds. */
const PAUSE_MS = 1_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS + 50));

describe('the keys of an upstream', () => {
  const bearer = new KeyedServer();
  const azure = new KeyedServer('api-key');
  const anthropic = new KeyedServer('x-api-key');
  const log: string[] = [];
  let gateway: Awaited<ReturnType<typeof startGatewayApp>>;
  let client: GatewayClient;
  beforeAll(async () => {
    Object.assign(process.env, KEYS);
    const upstream = async (name: string, server: KeyedServer, more: object) => ({
      ...{ name, kind: 'openai-compatible', base_url: await server.start(), models: [{ name }], backoff_ms: 1 },
      ...{ breaker_failures: 1, out_ms: PAUSE_MS, cooling_ms: PAUSE_MS, cooling_max_ms: PAUSE_MS, ...more },
    });
    gateway = await startGatewayApp(
      {
        upstreams: [
          await upstream('pooled', bearer, { keys: Object.keys(KEYS) }),
          await upstream('azure', azure, {
            key_env: 'KEY_A',
            key_header: 'api-key',
            query: { 'api-version': '1 & 2' },
          }),
          await upstream('anthropic', anthropic, { keys: ['KEY_A'], key_header: 'x-api-key' }),
        ],
        forward_headers: ['api-key', 'x-api-key', 'x-other'],
      },
      (line) => log.push(line),
    );
    await gateway.app.listen(0, '127.0.0.1');
    client = new GatewayClient(await gateway.app.getUrl(), gateway.writer.key);
  });
  beforeEach(async () => {
    // Keys that an earlier test set aside are back.
    await pause();
    for (const server of [bearer, azure, anthropic]) server.forget();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([bearer.stop(), azure.stop(), anthropic.stop()]);
    for (const name of Object.keys(KEYS)) delete process.env[name];
  });

  const ask = (fields: object = {}, headers: Record<string, string> = {}) =>
    client.ask({ model: 'pooled', ...fields }, headers);

  it('are used in turn', async () => {
    for (let at = 0; at < 6; at++) expect((await ask()).status).toBe(200);
    expect(bearer.keys.slice(0, 3).sort()).toEqual([A, B, C].sort());
    expect(bearer.keys.slice(3)).toEqual(bearer.keys.slice(0, 3));
  });

  it.each([
    ['401', { status: 401 }],
    ['429', { status: 429 }],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '1' } }],
  ])('are set aside after a %s, and the request is tried with the next, streamed or not', async (_, verdict) => {
    bearer.verdicts.set(A, verdict);
    bearer.verdicts.set(B, verdict);
    for (const stream of [false, true, false, true]) {
      const answer = await ask({ stream });
      expect({ status: answer.status, text: answer.text, isWhole: answer.isWhole }).toEqual({
        ...{ status: 200, text: 'hi', isWhole: true },
      });
      // A key's refusal is no attempt that failed, and no failure of the upstream: its breaker opens at one.
      expect(answer.headers.get('hone-attempts')).toBe('1');
    }
    expect(bearer.keys.filter((key) => key === C)).toHaveLength(4);
    for (const key of [A, B]) expect(bearer.keys.filter((sent) => sent === key)).toHaveLength(1);
  });

  it('come back after their time', async () => {
    bearer.verdicts.set(A, { status: 401 });
    for (let at = 0; at < 3; at++) await ask();
    bearer.forget();
    await pause();
    for (let at = 0; at < 3; at++) await ask();
    expect([...bearer.keys].sort()).toEqual([A, B, C].sort());
  });

  it('fail as one does when all are refused, each tried once', async () => {
    for (const key of [A, B, C]) bearer.verdicts.set(key, { status: 401 });
    const answer = await ask();
    expect({ status: answer.status, code: answer.errorCode }).toEqual({ status: 502, code: 'upstream_auth' });
    expect([...bearer.keys].sort()).toEqual([A, B, C].sort());
    // The target is out, as with one key.
    expect((await ask()).errorCode).toBe('no_healthy_target');
    expect(bearer.keys).toHaveLength(3);
  });

  it('are waited for when all are rate limited: the shortest wait counts', async () => {
    bearer.verdicts.set(A, { status: 429, headers: { 'retry-after': '30' } });
    bearer.verdicts.set(B, { status: 429, headers: { 'retry-after-ms': '200' } });
    bearer.verdicts.set(C, { status: 401 });
    const asked = ask();
    setTimeout(() => bearer.verdicts.delete(B), 150);
    const answer = await asked;
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'hi' });
    expect(bearer.keys.at(-1)).toBe(B);
  });

  it('never show: in errors, logs, metrics, calls, or the state of the gateway', async () => {
    for (const key of [A, B, C]) bearer.verdicts.set(key, { status: 401, message: `${A} ${B} ${C} are no keys` });
    const rid = newId();
    const { body } = await ask({}, { 'x-request-id': rid });
    const operator = await gateway.user('root', { isAdmin: true });
    const state = await gateway.as(`Bearer ${operator.key}`).get('/v1/gateway');
    const metrics = await gateway.as(undefined).get('/metrics');
    const rows = await gateway.sql(`SELECT row_to_json(u)::text FROM usage_records u`);
    const calls = await gateway.sql(`SELECT row_to_json(c)::text FROM call_values c`);
    const texts = [body, state.text, metrics.text, JSON.stringify([rows, calls]), log.join()];
    for (const text of texts) for (const key of [A, B, C]) expect(text).not.toContain(key);
    expect(log.join()).toContain('KEY_A');
  });

  it('go in the header and with the parameters that the upstream asks for, and callers cannot send theirs', async () => {
    const own = { 'api-key': 'mine', 'x-api-key': 'mine', 'x-other': 'yes' };
    expect((await ask({ model: 'azure' }, own)).status).toBe(200);
    expect((await ask({ model: 'anthropic' }, own)).status).toBe(200);
    expect(azure.keys).toEqual([A]);
    expect(azure.urls).toEqual(['/v1/chat/completions?api-version=1+%26+2']);
    expect(anthropic.keys).toEqual([A]);
    expect(anthropic.urls).toEqual(['/v1/chat/completions']);
  });
});
