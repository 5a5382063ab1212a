import { newId } from '@hone/database';
import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { Shadows } from '../../chat/shadows/shadows.service.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { startTrainedGateway, type TrainedGateway, type WorldModel } from './trained-world.fixture.js';

const PLAIN = { logprobs: null };
const TRACE = '0af7651916cd43dd8448eb211c80319c';

interface StoredCall {
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | null;
  readonly thread: string | null;
  readonly exception: string | null;
  readonly inputs: Record<string, unknown>;
  readonly attributes: { readonly model: string; readonly route: string; readonly split: Record<string, unknown> };
}

describe('the shadow of a split', () => {
  let fake: FakeUpstream;
  let gateway: TrainedGateway;
  let model: WorldModel;
  let ref: string;
  let splits = 0;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'f' });
    const routeTo = (id: string, name: string) => ({
      id,
      targets: [{ upstream: 'fake', model: name }],
      price: { prompt: 7, completion: 7 },
    });
    const upstream = { kind: 'openai-compatible', base_url: fake.baseUrl, params: 'all' };
    const narrow = { ...routeTo('narrow', 'silent'), targets: [{ upstream: 'narrow', model: 'silent' }] };
    const models = ['ok', 'status@500', 'silent'].map((name) => ({ name }));
    gateway = await startTrainedGateway({
      upstreams: [
        { ...upstream, name: 'fake', retries: 0, models },
        { ...upstream, name: 'narrow', max_concurrency: 2, models },
      ],
      routes: [routeTo('large', 'ok'), routeTo('broken', 'status@500'), routeTo('stuck', 'silent'), narrow],
    });
  });
  beforeEach(async () => {
    fake.forget();
    // An alias of its own for each test: its requests are those of no other.
    model = await gateway.world.createModel({ name: `agent-${splits++}` });
    ref = `${model.ref}:production`;
    await gateway.world.setAlias(model, 'production', 0);
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  const shadowBy = (name: string, more: { share?: number; maxCostUsdPerDay?: number } = {}) =>
    gateway.world.setSplit(model, 'production', [], { model: name, share: 1, maxCostUsdPerDay: null, ...more });

  async function ask(fields: object = {}, headers: Record<string, string> = {}) {
    const rid = newId();
    const answer = await gateway.ask(ref, { ...PLAIN, ...fields }, { headers: { 'x-request-id': rid, ...headers } });
    expect(answer.status).toBe(200);
    return { rid, ...answer };
  }

  async function shadowsOf(rid: string): Promise<StoredCall[]> {
    await gateway.app.get(MeteringService).flush();
    return gateway.sql<StoredCall>(
      `SELECT c.id, c.trace_id "traceId", c.parent_id "parentId", c.thread_id thread, c.exception,
         v.inputs_text::json inputs, v.attributes_text::json attributes
       FROM calls c JOIN call_values v ON v.project_id = c.project_id AND v.id = c.id
       WHERE v.attributes_text::json -> 'split' ->> 'shadow_of' = $1`,
      [rid],
    );
  }
  /** The only shadow of a request, once it has ended. */
  async function shadowOf(rid: string): Promise<StoredCall> {
    await until(async () => (await shadowsOf(rid)).length > 0, 'the shadow is a call');
    const [only, ...others] = await shadowsOf(rid);
    expect(others).toEqual([]);
    return only as StoredCall;
  }
  const usageOf = async (id: string) => {
    const [row] = await gateway.sql<{ cost: number; project: string; stream: boolean }>(
      `SELECT u.cost_nano_usd::float8 cost, u.project_id project, u.is_stream stream FROM usage_records u WHERE u.uid = $1::uuid`,
      [id],
    );
    return row;
  };
  const spent = async () => {
    const [row] = await gateway.sql<{ spent: number }>(
      'SELECT spent_nano_usd::float8 spent FROM alias_splits WHERE model_id = $1',
      [model.id],
    );
    return row?.spent;
  };

  /** Requests that were drawn for a shadow, by what became of them. */
  const countOf = async (result: string) => {
    const { text } = await gateway.as(undefined).get('/metrics');
    return Number(new RegExp(`shadow_requests_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };

  it('answers a request again, for nobody: a call and a usage record of its own', async () => {
    await shadowBy('large', { maxCostUsdPerDay: 1_000_000 });
    const sent = {
      'hone-thread': 'talk',
      'hone-metadata': '{"page":"help"}',
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
    };
    const { rid, json, headers } = await ask({ temperature: 0.5 }, sent);
    expect(json().model).toBe(`${model.ref}:step0`);
    expect(headers['hone-arm']).toBe('production');
    const shadow = await shadowOf(rid);
    expect(shadow).toMatchObject({ traceId: TRACE, parentId: 'b7ad6b7169203331', thread: 'talk', exception: null });
    expect(shadow.attributes).toMatchObject({ model: 'ok', route: 'large', metadata: { page: 'help' } });
    expect(shadow.attributes.split).toMatchObject({ alias: 'production', version: 1, arm: 'shadow', shadow_of: rid });
    expect(shadow.inputs).toMatchObject({ model: 'large', temperature: 0.5 });
    expect(shadow.id).not.toBe(rid);
    const usage = await usageOf(shadow.id);
    expect(usage).toMatchObject({ project: model.projectId });
    expect(usage?.cost).toBeGreaterThan(0);
    await until(async () => (await spent()) === usage?.cost, 'the budget has what it cost');
  });

  it('is of the trace of its request, also where that has none', async () => {
    await shadowBy('large');
    const { rid } = await ask();
    const { traceId, parentId } = await shadowOf(rid);
    const [first] = await gateway.sql<{ traceId: string }>('SELECT trace_id "traceId" FROM calls WHERE id = $1', [rid]);
    expect([traceId, parentId]).toEqual([first?.traceId, null]);
  });

  it('answers streams as a whole, and messages as chat completions', async () => {
    await shadowBy('large');
    const { rid, text } = await ask({ stream: true, stream_options: { include_usage: true } });
    expect(text).toContain('[DONE]');
    expect((await shadowOf(rid)).inputs).not.toHaveProperty('stream');
    const [received] = fake.requests;
    expect(received?.body).not.toContain('stream');
    const message = { model: ref, max_tokens: 8, messages: [{ role: 'user', content: 'x' }] };
    const id = newId();
    const answer = await gateway.caller.post('/v1/messages', message, { headers: { 'x-request-id': id } });
    expect(answer.status).toBe(200);
    expect((await shadowOf(id)).inputs).toMatchObject({ model: 'large', max_completion_tokens: 8 });
  });

  it.each(['broken', 'nobody', `hone-artifact:///acme/demo/nobody`])(
    'never fails the answer of its request: %s',
    async (name) => {
      await shadowBy(name);
      const { rid, headers } = await ask();
      expect(headers['hone-arm']).toBe('production');
      if (name !== 'broken') return;
      expect((await shadowOf(rid)).exception).toBe('upstream_failed');
    },
  );

  it('spends no more on a day than its limit and what is in flight', async () => {
    await shadowBy('large', { maxCostUsdPerDay: 1e-9 });
    const first = await ask();
    const usage = await usageOf((await shadowOf(first.rid)).id);
    await until(async () => (await spent()) === usage?.cost, 'the budget has what it cost');
    for (let n = 0; n < 3; n++) await ask();
    await until(async () => (await countOf('over_cap')) === 3, 'three are over the cap');
    expect(fake.count('ok')).toBe(1);
    // The next day begins anew.
    await gateway.sql(`UPDATE alias_splits SET spent_on = spent_on - 1 WHERE model_id = $1`, [model.id]);
    await shadowOf((await ask()).rid);
  });

  it('spends no more than that by many requests at once', async () => {
    await shadowBy('large');
    const cost = (await usageOf((await shadowOf((await ask()).rid)).id))?.cost as number;
    await until(async () => (await spent()) === cost, 'the budget has what it cost');
    const cap = 3.5 * cost;
    await shadowBy('large', { maxCostUsdPerDay: cap / 1e9 });
    const ended = async () => {
      const counts = await Promise.all(['answered', 'failed', 'shed', 'over_cap', 'refused'].map(countOf));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const before = await ended();
    await Promise.all(Array.from({ length: 24 }, () => ask()));
    await until(async () => (await ended()) === before + 24, 'all shadows have ended');
    // Nothing is in flight any longer: the last one that was admitted is over the cap at most.
    expect(await spent()).toBeLessThanOrEqual(cap + cost);
    expect(await spent()).toBeGreaterThan(cost);
  });

  it('is none for requests that another arm answers, or that are no calls', async () => {
    await gateway.world.setSplit(model, 'production', [{ name: 'all', model: `${model.ref}:step0`, weight: 1 }], {
      ...{ model: 'large', share: 1, maxCostUsdPerDay: null },
    });
    const inArm = await ask();
    expect(inArm.headers['hone-arm']).toBe('all');
    await shadowBy('large');
    await ask({}, { 'hone-log': 'off' });
    const kept = await ask();
    await shadowOf(kept.rid);
    expect(fake.count('ok')).toBe(1);
  });

  it('takes nothing of the rate limits of its caller', async () => {
    await shadowBy('large');
    const { keyId, key } = await gateway.user('limited', { roles: { acme: 'writer' } });
    await gateway.sql(`INSERT INTO usage_limits (scope, subject_id, requests_per_minute) VALUES ('key', $1, 2)`, [
      keyId,
    ]);
    const client = gateway.as(`Bearer ${key}`);
    const body = { model: ref, messages: [{ role: 'user', content: 'x' }], max_tokens: 4 };
    for (let n = 0; n < 2; n++) {
      const rid = newId();
      expect((await client.post('/v1/chat/completions', body, { headers: { 'x-request-id': rid } })).status).toBe(200);
      await shadowOf(rid);
    }
    expect((await client.post('/v1/chat/completions', body)).status).toBe(429);
  });

  it('is left out while half of the slots of its target are taken, and beyond eight at once', async () => {
    const before = await countOf('shed');
    await shadowBy('narrow');
    await ask();
    await until(() => fake.count('silent') === 1, 'the shadow is asked');
    await ask();
    await until(async () => (await countOf('shed')) === before + 1, 'the other one is left out');
    await shadowBy('stuck');
    for (let n = 0; n < 9; n++) await ask();
    await until(async () => (await countOf('shed')) === before + 3, 'eight run');
    expect(fake.count('silent')).toBe(8);
  });

  it('ends when the gateway stops, and is recorded', async () => {
    const other = await startTrainedGateway({
      upstreams: [
        {
          name: 'fake',
          kind: 'openai-compatible',
          base_url: fake.baseUrl,
          params: 'all',
          models: [{ name: 'silent' }],
        },
      ],
    });
    const stuck = await other.world.createModel({ name: 'stuck' });
    await other.world.setAlias(stuck, 'production', 0);
    const shadow = { model: 'silent', share: 1, maxCostUsdPerDay: null };
    await other.world.setSplit(stuck, 'production', [], shadow);
    const answer = await other.ask(`${stuck.ref}:production`, PLAIN);
    expect(answer.status).toBe(200);
    await until(() => fake.count('silent') === 1, 'the shadow is asked');
    await other.app.get(Shadows).beforeApplicationShutdown();
    await other.app.get(MeteringService).flush();
    const rows = await other.sql(`SELECT status, error_code code FROM usage_records WHERE model_asked = 'silent'`);
    expect(rows).toEqual([{ status: 'error', code: 'overloaded' }]);
    await other.close();
  });
});
