import { KeyStore, type Principal } from '@hone/auth';
import { newId } from '@hone/database';
import { type TestUser, walkRoutes } from '@hone/testing';

import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { A_KEY, aUsageRecord } from '../../metering/records/usage-record.fixture.js';
import type { UsageRecord } from '../../metering/records/usage-record.js';
import { startUsageApp, type UsageApp } from './usage-app.fixture.js';

const OTHER_KEY = newId();
const LATER = new Date('2026-12-01T09:00:00Z');
const RANGE = 'project=acme/demo&from=2026-11-19T00:00:00Z&to=2026-11-22T00:00:00Z';
const NOTHING = {
  requests: 0,
  errors: 0,
  aborted: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: '0.000000000',
  mean_latency_ms: null,
};

describe('GET /v1/usage', () => {
  let gateway: UsageApp;
  let reader: TestUser;
  beforeAll(async () => {
    gateway = await startUsageApp();
    reader = await gateway.user('rea', { roles: { acme: 'reader' } });
    await gateway.sql(
      `INSERT INTO projects (id, entity_id, name, created_by)
      SELECT gen_random_uuid(), id, 'demo', $1 FROM entities WHERE name = 'acme'`,
      [gateway.writer.id],
    );
    const [{ id: projectId } = { id: '' }] = await gateway.sql<{ id: string }>(
      `SELECT id FROM projects WHERE name = 'demo'`,
    );
    const metering = gateway.app.get(MeteringService);
    const keyOf = async (user: string) =>
      (await gateway.sql<{ id: string }>('SELECT id FROM api_keys WHERE user_id = $1', [user]))[0]?.id;
    const record = (changes: Partial<UsageRecord>) => metering.record(aUsageRecord({ projectId, ...changes }));
    await Promise.all([
      record({}),
      record({ startedAt: new Date('2026-11-20T10:59:59.999Z'), cachedTokens: 40, reasoningTokens: 5 }),
      record({
        startedAt: new Date('2026-11-20T11:00:00Z'),
        modelAnswered: 'a, "small" one',
        keyId: OTHER_KEY,
        durationMs: 1_691,
      }),
      record({ startedAt: new Date('2026-11-21T00:00:00Z'), status: 'aborted', completionTokens: 3 }),
      record({
        status: 'error',
        errorCode: 'upstream_failed',
        modelAnswered: null,
        promptTokens: 0,
        completionTokens: 0,
      }),
      record({ startedAt: new Date('2026-11-22T00:00:00Z') }),
      ...[reader, gateway.writer, reader].map(async ({ id }) => record({ startedAt: LATER, keyId: await keyOf(id) })),
      record({ projectId: newId() }),
    ]);
    await metering.flush();
  });
  afterAll(() => gateway.close());

  const get = (query: string, headers: Record<string, string> = {}, who = reader) =>
    gateway.as(`Bearer ${who.key}`).get(`/v1/usage?${query}`, { headers });
  const groups = async (query: string) =>
    (await get(query)).json().data.map((row: { group: string; requests: number }) => [row.group, row.requests]);

  it('sums a project by day', async () => {
    const response = await get(RANGE);
    expect(response.status).toBe(200);
    expect(response.json()).toEqual({
      project: 'acme/demo',
      from: '2026-11-19T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      by: 'day',
      data: [
        {
          group: '2026-11-20',
          requests: 4,
          errors: 1,
          aborted: 0,
          prompt_tokens: 300,
          cached_tokens: 40,
          completion_tokens: 60,
          reasoning_tokens: 5,
          cost_usd: '0.000077800',
          mean_latency_ms: 1_105,
        },
        {
          ...NOTHING,
          group: '2026-11-21',
          requests: 1,
          aborted: 1,
          prompt_tokens: 100,
          completion_tokens: 3,
          cost_usd: '0.000016800',
        },
      ],
      total: {
        requests: 5,
        errors: 1,
        aborted: 1,
        prompt_tokens: 400,
        cached_tokens: 40,
        completion_tokens: 63,
        reasoning_tokens: 5,
        cost_usd: '0.000094600',
        mean_latency_ms: 1_105,
      },
    });
  });

  it('sums by hour, model and key', async () => {
    expect(await groups(`${RANGE}&by=hour`)).toEqual([
      ['2026-11-20T10:00:00.000Z', 3],
      ['2026-11-20T11:00:00.000Z', 1],
      ['2026-11-21T00:00:00.000Z', 1],
    ]);
    expect(await groups(`${RANGE}&by=model`)).toEqual([
      ['a, "small" one', 1],
      ['big-128k', 3],
      ['team-chat', 1],
    ]);
    expect((await groups(`${RANGE}&by=key`)).sort()).toEqual(
      [
        [A_KEY, 4],
        [OTHER_KEY, 1],
      ].sort(),
    );
  });

  it('sums by user, whose name is that of the key where the key is unknown', async () => {
    expect(await groups('project=acme/demo&from=2026-12-01T00:00Z&to=2026-12-02T00:00Z&by=user')).toEqual(
      [
        [reader.id, 2],
        [gateway.writer.id, 1],
      ].sort(),
    );
    expect((await groups(`${RANGE}&by=user`)).length).toBe(2);
  });

  it('sums by two groups, of which each pair with requests is a row', async () => {
    const { by, then_by, data, total } = (await get(`${RANGE}&by=day&then_by=model`)).json();
    expect([by, then_by]).toEqual(['day', 'model']);
    expect(
      data.map((row: { group: string; then_group: string; requests: number; cost_usd: string }) => [
        ...[row.group, row.then_group, row.requests, row.cost_usd],
      ]),
    ).toEqual([
      ['2026-11-20', 'a, "small" one', 1, '0.000027000'],
      ['2026-11-20', 'big-128k', 2, '0.000050800'],
      ['2026-11-20', 'team-chat', 1, '0.000000000'],
      ['2026-11-21', 'big-128k', 1, '0.000016800'],
    ]);
    expect(total.requests).toBe(5);
  });

  it('sums by any two groups to the same as by one', async () => {
    const names = ['hour', 'day', 'model', 'key', 'user'];
    for (const by of names) {
      const ofOne = await groups(`${RANGE}&by=${by}`);
      for (const thenBy of names.filter((name) => name !== by)) {
        const sums = new Map<string, number>();
        for (const [group, requests] of await groups(`${RANGE}&by=${by}&then_by=${thenBy}`))
          sums.set(group, (sums.get(group) ?? 0) + requests);
        expect([by, thenBy, [...sums]]).toEqual([by, thenBy, ofOne]);
      }
    }
  });

  it('refuses two groups of more pairs than one answer takes', async () => {
    const [{ id } = { id: '' }] = await gateway.sql<{ id: string }>(
      `INSERT INTO projects (id, entity_id, name, created_by)
      SELECT gen_random_uuid(), id, 'many', $1 FROM entities WHERE name = 'acme' RETURNING id`,
      [gateway.writer.id],
    );
    const fill = (count: number) =>
      gateway.sql(
        `INSERT INTO usage_hours (project_id, key_id, model, hour, requests, errors, aborted, prompt_tokens, cached_tokens,
          completion_tokens, reasoning_tokens, cost_nano_usd)
        SELECT $1::uuid, $2::uuid, 'm' || n, '2026-11-20T10:00:00Z', 1, 0, 0, 0, 0, 0, 0, 0
        FROM generate_series(1, $3::int) n ON CONFLICT DO NOTHING`,
        [id, A_KEY, count],
      );
    const many = RANGE.replace('acme/demo', 'acme/many');
    await fill(20_000);
    expect((await groups(`${many}&by=day&then_by=model`)).length).toBe(20_000);
    await fill(20_001);
    const refused = await get(`${many}&by=day&then_by=model`);
    expect([refused.status, refused.json().detail]).toEqual([
      422,
      [
        {
          loc: ['query', 'from'],
          msg: 'Input should be a shorter time: the groups have more than 20000 rows',
          type: 'value_error',
        },
      ],
    ]);
    expect((await groups(`${many}&by=model`)).length).toBe(20_001);
  });

  it('counts full hours, and returns the range', async () => {
    const { from, to, total } = (
      await get('project=acme/demo&from=2026-11-20T10:45:00Z&to=2026-11-20T11:00:01%2B00:00')
    ).json();
    expect([from, to, total.requests]).toEqual(['2026-11-20T10:00:00.000Z', '2026-11-20T12:00:00.000Z', 4]);
  });

  it('answers CSV when the client accepts it', async () => {
    const { headers, text } = await get(`${RANGE}&by=model`, { accept: 'text/csv' });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text).toBe(
      [
        'model,requests,errors,aborted,prompt_tokens,cached_tokens,completion_tokens,reasoning_tokens,cost_usd,mean_latency_ms',
        '"a, ""small"" one",1,0,0,100,0,20,0,0.000027000,1691',
        'big-128k,3,0,1,300,40,43,5,0.000067600,812',
        'team-chat,1,1,0,0,0,0,0,0.000000000,',
        '',
      ].join('\r\n'),
    );
  });

  it('answers CSV without formulas, whatever a model is named', async () => {
    const [{ id } = { id: '' }] = await gateway.sql<{ id: string }>(
      `INSERT INTO projects (id, entity_id, name, created_by)
      SELECT gen_random_uuid(), id, 'formulas', $1 FROM entities WHERE name = 'acme' RETURNING id`,
      [gateway.writer.id],
    );
    await gateway.sql(
      `INSERT INTO usage_hours (project_id, key_id, model, hour, requests, errors, aborted, prompt_tokens, cached_tokens,
        completion_tokens, reasoning_tokens, cost_nano_usd)
      SELECT $1::uuid, $2::uuid, name, '2026-11-20T10:00:00Z', 1, 0, 0, 0, 0, 0, 0, 0
      FROM unnest(ARRAY['=HYPERLINK("http://x")', '+x', '-x', '@x', E'\\tx', '-5']) name`,
      [id, A_KEY],
    );
    const { text } = await get(`${RANGE.replace('acme/demo', 'acme/formulas')}&by=model`, { accept: 'text/csv' });
    const names = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.replace(/(?:,[^,]*){9}$/, ''));
    expect(new Set(names)).toEqual(new Set([`"'=HYPERLINK(""http://x"")"`, `'+x`, `'-x`, `'@x`, `'\tx`, '-5']));
  });

  it('answers CSV with a column for each of two groups', async () => {
    const { text } = await get(`${RANGE}&by=model&then_by=day`, { accept: 'text/csv' });
    const lines = text.split('\r\n').map((line) => line.split(',').slice(0, -9).join(','));
    expect(lines).toEqual([
      'model,day',
      '"a, ""small"" one",2026-11-20',
      'big-128k,2026-11-20',
      'big-128k,2026-11-21',
      'team-chat,2026-11-20',
      '',
    ]);
  });

  it("defaults to the key's own project and the last 30 days", async () => {
    const lena = await gateway.user('lena');
    const caller = (await gateway.app.get(KeyStore).find(lena.key)) as Principal;
    const projects = gateway.app.get(UsageProjects);
    await projects.rowIdFor(caller, await projects.authorize(caller, undefined));
    const { project, from, to, data, total } = (await get('', {}, lena)).json();
    expect([project, data, total]).toEqual(['lena/default', [], NOTHING]);
    expect(Date.parse(to) - Date.parse(from)).toBeGreaterThanOrEqual(30 * 86_400_000);
  });

  it("is nothing while no request has made the key's own project, for those who may read it", async () => {
    const nora = await gateway.user('nora');
    for (const query of ['', 'project=nora/default']) {
      const answer = await get(query, {}, nora);
      const { project, data, total } = answer.json();
      expect([answer.status, project, data, total]).toEqual([200, 'nora/default', [], NOTHING]);
    }
    const limits = await gateway.as(`Bearer ${nora.key}`).get('/v1/usage/limits?project=nora/default');
    expect(limits.json()).toMatchObject({ project: 'nora/default', requests_per_minute: null });
    const other = await get('project=nora/other', {}, nora);
    expect([other.status, other.json().code]).toEqual([404, 'project.not_found']);
    expect((await get('project=nora/default', {}, await gateway.user('oda'))).status).toBe(403);
    expect(
      await gateway.sql(`SELECT FROM projects p JOIN entities e ON e.id = p.entity_id WHERE e.name = 'nora'`),
    ).toEqual([]);
  });

  it.each([
    ['by=week', ['by', 'enum']],
    ['then_by=week', ['then_by', 'enum']],
    ['then_by=day', ['then_by', 'value_error']],
    ['by=model&then_by=hour&from=2026-01-01T00:00Z&to=2026-06-01T00:00Z', ['from', 'value_error']],
    ['from=yesterday', ['from', 'value_error']],
    ['to=2026-13-01T00:00Z', ['to', 'value_error']],
    ['to=0000-06-01T00:00Z', ['to', 'value_error']],
    ['to=0001-01-01T00:00Z', ['to', 'value_error']],
    ['project=acme', ['project', 'string_pattern_mismatch']],
    ['project=a/b&project=c/d', ['project', 'string_type']],
    ['from=2026-11-20T00:00Z&to=2026-11-20T00:00Z', ['to', 'value_error']],
    ['by=hour&from=2026-01-01T00:00Z&to=2026-06-01T00:00Z', ['from', 'value_error']],
  ])('refuses ?%s', async (query, [name, type]) => {
    const response = await get(query);
    expect([response.status, response.json().detail]).toEqual([
      422,
      [{ loc: ['query', name], msg: expect.any(String), type }],
    ]);
  });

  it('is for readers of the project', async () => {
    const outsider = await gateway.user('otto');
    for (const project of ['acme/demo', 'acme/none']) {
      const response = await get(`project=${project}`, {}, outsider);
      expect([response.status, response.json()]).toEqual([
        403,
        { detail: "You have no access to entity 'acme'.", code: 'access.denied' },
      ]);
    }
    const missing = await get('project=acme/none');
    expect([missing.status, missing.json().code]).toEqual([404, 'project.not_found']);
  });

  it('accepts bearer credentials only', async () => {
    expect((await gateway.as(undefined).get('/v1/usage')).status).toBe(401);
    expect((await gateway.as(reader).get('/v1/usage')).status).toBe(401);
    const routes = walkRoutes(gateway.app).filter(({ isOpen }) => !isOpen);
    expect(routes.map(({ name, guards }) => [name, guards])).toEqual([
      ['LimitsController.read', ['BearerAuthGuard']],
      ['LimitsController.put', ['BearerAuthGuard']],
      ['UsageReportController.read', ['BearerAuthGuard']],
    ]);
  });
});
