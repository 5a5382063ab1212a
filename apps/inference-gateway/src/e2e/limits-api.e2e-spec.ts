import { type TestUser, until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { type GatewayApp, startGatewayApp } from './gateway-app.fixture.js';

const PATH = '/v1/usage/limits';
const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'Say something.' }] };
const UNLIMITED = {
  requests_per_minute: null,
  tokens_per_minute: null,
  concurrent_requests: null,
  daily_budget_usd: null,
  monthly_budget_usd: null,
  model_budgets: [],
  spent_usd: '0.000000000',
  spent_today_usd: '0.000000000',
};

describe('/v1/usage/limits', () => {
  let fake: FakeUpstream;
  let gateway: GatewayApp;
  let admin: TestUser;
  let reader: TestUser;
  let count = 0;
  beforeAll(async () => {
    fake = await FakeUpstream.start();
    const upstream = { name: 'main', kind: 'openai-compatible', base_url: fake.baseUrl, models: [{ name: 'ok' }] };
    const targets = [{ upstream: 'main', model: 'ok' }];
    gateway = await startGatewayApp({ upstreams: [upstream], routes: [{ id: 'chat', targets }] });
    admin = await gateway.user('root', { isAdmin: true });
    reader = await gateway.user('rea', { roles: { acme: 'reader' } });
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  const as = ({ key }: TestUser) => gateway.as(`Bearer ${key}`);
  const get = (who: TestUser, query = '') => as(who).get(`${PATH}${query}`);
  const put = (who: TestUser, query: string, body: unknown) => as(who).put(`${PATH}${query}`, body);
  const aProject = () => `acme/p${++count}`;
  const ask = async (who: TestUser, project?: string) => {
    const headers: Record<string, string> = project === undefined ? {} : { 'hone-project': project };
    const { status, text } = await as(who).post('/v1/chat/completions', CHAT, { headers });
    return `${status} ${status === 200 ? '' : JSON.parse(text).error.code}`.trim();
  };

  it('are set for a project, which is created, and returned to its readers', async () => {
    const project = aProject();
    const limits = {
      requests_per_minute: 60,
      tokens_per_minute: 1e5,
      concurrent_requests: 4,
      daily_budget_usd: 0.5,
      monthly_budget_usd: 2.5,
    };
    const answer = await put(admin, `?project=${project}`, limits);
    const wanted = { ...UNLIMITED, project, key: null, ...limits };
    expect(answer.json()).toEqual(wanted);
    expect(answer.status).toBe(200);
    expect((await get(reader, `?project=${project}`)).json()).toEqual(wanted);
    expect(await gateway.sql(`SELECT action, detail, actor_id FROM audit_log WHERE subject = $1`, [project])).toEqual([
      { action: 'usage_limits.put', detail: limits, actor_id: admin.id },
    ]);
  });

  it('are those of the key’s own project by default', async () => {
    await ask(gateway.writer);
    const { username } = gateway.writer;
    const { status, json } = await get(gateway.writer);
    expect(json()).toEqual({ project: `${username}/default`, key: null, ...UNLIMITED });
    expect(status).toBe(200);
  });

  it('apply within a second, and no longer once they are removed', async () => {
    const user = await gateway.user('asks');
    expect(await ask(user)).toBe('200');
    const query = `?key=${user.keyId.toUpperCase()}`;
    expect((await put(admin, query, { requests_per_minute: 0 })).json()).toMatchObject({ key: user.keyId });
    await until(async () => (await ask(user)) === '429 rate_limit_requests', 'the limit');
    expect((await get(user, query)).json()).toMatchObject({ requests_per_minute: 0, tokens_per_minute: null });
    await put(admin, query, { tokens_per_minute: 1e6, requests_per_minute: null });
    await until(async () => (await ask(user)) === '200', 'no limit');
    expect((await get(user, query)).json()).toMatchObject({ requests_per_minute: null, tokens_per_minute: 1e6 });
  });

  it('apply to a project with all of its keys', async () => {
    const project = aProject();
    await put(admin, `?project=${project}`, { monthly_budget_usd: 0, concurrent_requests: 0 });
    expect(await ask(gateway.writer, project)).toBe('429 concurrency_limit');
    expect(await ask(gateway.writer)).toBe('200');
  });

  it('include the spending of the month', async () => {
    await gateway.sql(
      `INSERT INTO usage_months (scope, subject_id, month, cost_nano_usd) VALUES
        ('key', $1, date_trunc('month', now() AT TIME ZONE 'UTC'), 1234567890),
        ('key', $1, date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month', 9)`,
      [reader.keyId],
    );
    expect((await get(reader, `?key=${reader.keyId}`)).json()).toMatchObject({ spent_usd: '1.234567890' });
  });

  it('include the spending of the day', async () => {
    await gateway.sql(
      `INSERT INTO usage_days (scope, subject_id, day, cost_nano_usd) VALUES
        ('key', $1, (now() AT TIME ZONE 'UTC')::date, 1000000002), ('key', $1, (now() AT TIME ZONE 'UTC')::date - 1, 9)`,
      [admin.keyId],
    );
    expect((await get(admin, `?key=${admin.keyId}`)).json()).toMatchObject({ spent_today_usd: '1.000000002' });
  });

  it('of models are set, in order, and returned with what was spent on them', async () => {
    const project = aProject();
    const model_budgets = [
      { model: 'gpt-*', daily_budget_usd: 0.5, monthly_budget_usd: 9_000_000 },
      { model: 'smollm2', monthly_budget_usd: 0.000000001 },
      { model: '*', daily_budget_usd: 0 },
    ];
    const none = {
      daily_budget_usd: null,
      monthly_budget_usd: null,
      spent_usd: '0.000000000',
      spent_today_usd: '0.000000000',
    };
    const wanted = {
      ...UNLIMITED,
      project,
      key: null,
      model_budgets: model_budgets.map((one) => ({ ...none, ...one })),
    };
    const answer = await put(admin, `?project=${project}`, { model_budgets });
    expect(answer.json()).toEqual(wanted);
    expect(answer.status).toBe(200);
    await gateway.sql(
      `INSERT INTO usage_models (scope, subject_id, period, since, model, cost_nano_usd)
       SELECT 'project', id, period, date_trunc(period, now() AT TIME ZONE 'UTC'), model, cost
       FROM projects, (VALUES ('day', 'gpt-5', 7), ('month', 'gpt-5', 17), ('month', 'gpt-4', 3), ('month', 'chat', 100)) AS one (period, model, cost)
       WHERE name = $1`,
      [project.slice(5)],
    );
    const spent = (today: string, inMonth: string) => ({
      spent_usd: `0.000000${inMonth}`,
      spent_today_usd: `0.000000${today}`,
    });
    expect((await get(reader, `?project=${project}`)).json().model_budgets).toMatchObject([
      spent('007', '020'),
      spent('000', '000'),
      spent('007', '120'),
    ]);
    expect(await gateway.sql(`SELECT detail FROM audit_log WHERE subject = $1`, [project])).toEqual([
      { detail: { model_budgets } },
    ]);
    await put(admin, `?project=${project}`, { model_budgets: null });
    expect((await get(reader, `?project=${project}`)).json()).toMatchObject({ model_budgets: [] });
  });

  const aBudget = (model: unknown, more: object = { daily_budget_usd: 1 }) => ({ model, ...more });
  it.each([
    ['no list', {}, []],
    ['no object', ['gpt-*'], [0]],
    ['no model', [{ daily_budget_usd: 1 }], [0, 'model']],
    ['a model that is no text', [aBudget(7)], [0, 'model']],
    ['an empty model', [aBudget('a'), aBudget('')], [1, 'model']],
    ['a long model', [aBudget('é'.repeat(513))], [0, 'model']],
    ['a model that cannot be stored', [aBudget('a\0')], [0, 'model']],
    ['half a character', [aBudget('\ud800*')], [0, 'model']],
    ['no budget', [aBudget('a', {})], [0]],
    ['budgets of null', [aBudget('a', { daily_budget_usd: null, monthly_budget_usd: null })], [0]],
    ['a negative budget', [aBudget('a', { daily_budget_usd: -1 })], [0, 'daily_budget_usd']],
    ['too much', [aBudget('a', { monthly_budget_usd: 9_000_001 })], [0, 'monthly_budget_usd']],
    ['a text for a budget', [aBudget('a', { monthly_budget_usd: '1' })], [0, 'monthly_budget_usd']],
    ['an unknown field', [aBudget('a', { daily_budget_usd: 1, weekly_budget_usd: 1 })], [0, 'weekly_budget_usd']],
    ['the same model twice', [aBudget('a*'), aBudget('a'), aBudget('a*', { monthly_budget_usd: 1 })], [2, 'model']],
    ['too many', Array.from({ length: 21 }, (_, at) => aBudget(`m${at}`)), []],
  ])('of models refuse %s, and leave the limits as they are', async (_, model_budgets, loc) => {
    const query = `?key=${reader.keyId}`;
    await put(admin, query, { daily_budget_usd: 3 });
    const { status, json } = await put(admin, query, { model_budgets });
    expect(json().detail.map((one: { loc: unknown }) => one.loc)).toEqual([['body', 'model_budgets', ...loc]]);
    expect(status).toBe(422);
    expect((await get(admin, query)).json()).toMatchObject({ daily_budget_usd: 3, model_budgets: [] });
    await put(admin, query, {});
  });

  it('of models are at most 20', async () => {
    const model_budgets = Array.from({ length: 20 }, (_, at) => aBudget(`${at}-${'m'.repeat(500)}*`));
    const answer = await put(admin, `?key=${reader.keyId}`, { model_budgets });
    expect(answer.json().model_budgets).toHaveLength(20);
    expect(await ask(reader)).toBe('200');
    await put(admin, `?key=${reader.keyId}`, {});
  });

  it('store a budget exactly, up to the largest', async () => {
    for (const monthly_budget_usd of [0.000000001, 0.1, 8_999_999.5]) {
      const answer = await put(admin, `?key=${reader.keyId}`, { monthly_budget_usd });
      expect(answer.json()).toMatchObject({ monthly_budget_usd });
    }
    const daily_budget_usd = 0.000000003;
    expect((await put(admin, `?key=${reader.keyId}`, { daily_budget_usd })).json()).toMatchObject({ daily_budget_usd });
    await put(admin, `?key=${reader.keyId}`, {});
  });

  it('of another user’s key, or an unknown key, are not found', async () => {
    const none = '01900000-0000-7000-8000-000000000000';
    for (const [who, key] of [
      [reader, gateway.writer.keyId],
      [reader, none],
      [admin, none],
    ] as const) {
      const { status, json } = await get(who, `?key=${key}`);
      expect(json()).toEqual({ detail: `There is no API key '${key}'.`, code: 'api_key.not_found' });
      expect(status).toBe(404);
    }
    expect((await put(admin, `?key=${none}`, {})).status).toBe(404);
  });

  it.each([
    ['that is no admin', {}, 'This needs an administrator.'],
    [
      'that applications ask with',
      { isAdmin: true, scopes: ['inference' as const] },
      "This key lacks the scope 'account'.",
    ],
    ['bound to a project', { isAdmin: true, onlyProject: 'acme/one' }, "This key is bound to project 'acme/one'."],
  ])('are not set with a key %s', async (about, options, detail) => {
    const user = await gateway.user(`no-${about.replaceAll(' ', '-')}`, options);
    const answer = await put(user, `?key=${user.keyId}`, {});
    expect(answer.json()).toEqual({ detail, code: 'access.denied' });
    expect(answer.status).toBe(403);
  });

  it.each([
    ['?project=acme', {}, ['query', 'project']],
    ['?project=a/b&project=c/d', {}, ['query', 'project']],
    ['?key=1', {}, ['query', 'key']],
    [`?project=a/b&key=01900000-0000-7000-8000-000000000000`, {}, ['query', 'key']],
    ['', { requests_per_minute: -1 }, ['body', 'requests_per_minute']],
    ['', { tokens_per_minute: 2 ** 31 }, ['body', 'tokens_per_minute']],
    ['', { concurrent_requests: 1.5 }, ['body', 'concurrent_requests']],
    ['', { monthly_budget_usd: '5' }, ['body', 'monthly_budget_usd']],
    ['', { daily_budget_usd: -1 }, ['body', 'daily_budget_usd']],
    ['', { daily_budget_usd: 9_000_001 }, ['body', 'daily_budget_usd']],
    ['', { monthly_budget_usd: 9_000_001 }, ['body', 'monthly_budget_usd']],
    ['', { budget: 5 }, ['body', 'budget']],
    ['', [], ['body']],
  ])('refuse %s %j', async (query, body, loc) => {
    const { status, json } = await put(admin, query, body);
    expect(json().detail.map((one: { loc: unknown }) => one.loc)).toEqual([loc]);
    expect(status).toBe(422);
  });

  it('take GET and PUT', async () => {
    const answer = await as(admin).delete(PATH);
    expect(answer.headers['allow']).toBe('GET, HEAD, PUT');
    expect(answer.status).toBe(405);
  });
});
