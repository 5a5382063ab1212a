import { basic, startTestApp, type TestApp } from '@hone/testing';

import { aFeedback } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

const ROUTES = [
  ['post', '/feedback/create'],
  ['post', '/feedback/batch/create'],
  ['post', '/feedback/query'],
  ['post', '/feedback/payload_schema'],
  ['post', '/feedback/replace'],
  ['post', '/feedback/purge'],
  ['post', '/feedback/history'],
  ['post', '/objs/query'],
  ['post', '/obj/create'],
  ['post', '/obj/read'],
  ['post', '/obj/delete'],
  ['post', '/obj/restore'],
  ['put', '/objs/o/versions/v0/tags'],
  ['post', '/objs/o/versions/v0/tags/remove'],
  ['put', '/objs/o/aliases'],
  ['get', '/objs/o/aliases'],
  ['post', '/objs/o/aliases/remove'],
  ['get', '/tags'],
  ['get', '/aliases'],
  ['post', '/refs/read_batch'],
  ['post', '/table/create'],
  ['post', '/table/create_from_digests'],
  ['post', '/table/update'],
  ['post', '/table/query'],
  ['post', '/table/query_stream'],
  ['post', '/table/query_stats'],
  ['post', '/table/query_stats_batch'],
  ['post', '/file/create'],
  ['post', '/files/create'],
  ['post', '/file/content'],
  ['post', '/files/content'],
  ['post', '/files/query_stats'],
  ['post', '/annotation_queues'],
  ['post', '/annotation_queues/q/items/i/progress'],
  ['post', '/annotation_queues/q/items/claim'],
  ['post', '/annotation_queues/q/items/i/lease/renew'],
  ['post', '/annotation_queues/q/items/i/lease/release'],
  ['put', '/annotation_queues/q/items/i/assignees'],
  ['get', '/annotation_queues/q/items/i/assignees'],
  ['get', '/annotation_queues/q/items/i/audit'],
  ['post', '/annotation_queues/q/items/i/reopen'],
  ['get', '/annotation_queues/q/agreement'],
  ['post', '/annotation_queues/query'],
  ['post', '/annotation_queues/stats'],
  ['get', '/annotation_queues/q'],
  ['put', '/annotation_queues/q'],
  ['delete', '/annotation_queues/q'],
  ['delete', '/annotation_queues/q/items/i'],
  ['get', '/v2/acme/demo/models/m/versions/v0'],
  ['delete', '/v2/acme/demo/evaluations/e'],
  ['post', '/call/upsert_batch'],
  ['post', '/call/start'],
  ['post', '/call/read'],
  ['post', '/call/update'],
  ['post', '/calls/stream_query'],
  ['post', '/calls/query_stats'],
  ['get', '/calls/c/used-in'],
  ['post', '/calls/delete'],
  ['post', '/calls/usage'],
  ['post', '/calls/stats'],
  ['post', '/calls/charts'],
  ['post', '/calls/facets'],
  ['post', '/trace/usage'],
  ['post', '/threads/stream_query'],
  ['post', '/cost/create'],
  ['post', '/cost/query'],
  ['post', '/cost/purge'],
  ['post', '/project/stats'],
  ['post', '/project/call_logging/read'],
  ['post', '/project/call_logging/update'],
  ['post', '/project/search/read'],
  ['post', '/project/search/update'],
  ['post', '/project/ttl_settings/read'],
  ['post', '/project/ttl_settings/update'],
  ['post', '/call/end'],
  ['post', '/v2/acme/demo/call/start'],
  ['post', '/v2/acme/demo/call/end'],
  ['post', '/v2/acme/demo/calls/complete'],
  ['post', '/otel/v1/traces'],
  ['post', '/otel/v1/logs'],
  ['post', '/otel/v1/metrics'],
] as const;

/** Exporters of OpenTelemetry may send either scheme. */
const isOfExporters = (path: string) => path.startsWith('/otel/');

const MISSING = { detail: 'Credentials are missing.', code: 'auth.missing' };
const INVALID = { detail: 'Credentials are not valid.', code: 'auth.invalid' };

describe('access to the trace service', () => {
  let trace: TestApp;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
  });
  afterAll(() => trace.close());

  const projects = () => trace.sql<{ name: string }>('SELECT name FROM projects');

  it.each(ROUTES)('%s %s answers 401 without credentials, and with bad ones', async (method, path) => {
    const at = ROUTES.findIndex((one) => one[0] === method && one[1] === path);
    // One address may fail with a key sixty times.
    const options = { headers: { 'x-forwarded-for': `192.0.2.${at}` } };
    const expired = await trace.user(`expired-${at}`, {
      expiresAt: new Date(Date.now() - 1_000),
    });
    const bad = [
      'Basic !!',
      `Basic ${Buffer.from('nocolon').toString('base64')}`,
      basic('api', 'hone_unknown'),
      ...(isOfExporters(path) ? [] : [`Bearer ${trace.writer.key}`]),
    ];
    const challenge = isOfExporters(path) ? 'Basic realm="hone", Bearer realm="hone"' : 'Basic realm="hone"';
    bad.push(basic('api', expired.key), basic('someone-else', trace.writer.key), 'Basic', `Basic ${'A'.repeat(5_000)}`);
    const without = await trace.as(undefined)[method](path);
    expect([without.status, without.json(), without.headers['www-authenticate']]).toEqual([401, MISSING, challenge]);
    for (const header of bad) {
      const client = trace.as(header);
      const response = method === 'get' ? await client.get(path, options) : await client[method](path, {}, options);
      expect([response.status, response.json(), response.headers['www-authenticate']]).toEqual([
        401,
        INVALID,
        challenge,
      ]);
    }
  });

  it('answers 401 before it looks at the body', async () => {
    for (const body of ['{', '[]', 'x'.repeat(1_000)]) {
      expect((await trace.as(undefined).post('/feedback/create', body)).status).toBe(401);
    }
  });

  it("takes the owner's username as well as api", async () => {
    for (const username of ['api', trace.writer.username]) {
      expect(
        (await trace.as(basic(username, trace.writer.key)).post('/objs/query', { project_id: 'acme/demo' })).status,
      ).toBe(200);
    }
  });

  it('refuses a key whose row is revoked', async () => {
    const user = await trace.user('rita', { roles: { acme: 'writer' } });
    await trace.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [user.keyId]);
    const response = await trace.as(user).post('/feedback/create', aFeedback());
    expect([response.status, response.json()]).toEqual([401, INVALID]);
  });

  it('answers the same 403 whether or not a project exists', async () => {
    await trace.as(trace.writer).post('/feedback/create', aFeedback());
    const stranger = await trace.user('stranger');
    const known = await trace.as(stranger).post('/feedback/create', aFeedback());
    const unknown = await trace.as(stranger).post('/feedback/create', aFeedback({ project_id: 'acme/unknown' }));
    const noEntity = await trace.as(stranger).post('/objs/query', { project_id: 'nowhere/x' });
    expect(known.status).toBe(403);
    expect(known.text).toBe(`{"detail":"You have no access to entity 'acme'.","code":"access.denied"}`);
    expect(unknown.text).toBe(known.text);
    expect(noEntity.json().detail).toBe("You have no access to entity 'nowhere'.");
  });

  it('refuses a key without the scope trace, or bound to another project', async () => {
    const roles = { acme: 'writer' } as const;
    for (const user of [
      await trace.user('scoped', { roles, scopes: ['training'] }),
      await trace.user('bound', { roles, onlyProject: 'acme/other' }),
    ]) {
      const response = await trace.as(user).post('/objs/query', { project_id: 'acme/demo' });
      expect([response.status, response.json().detail]).toEqual([403, "You have no access to entity 'acme'."]);
    }
    const bound = await trace.user('bound2', { roles, onlyProject: 'acme/demo' });
    expect((await trace.as(bound).post('/objs/query', { project_id: 'acme/demo' })).status).toBe(200);
  });

  it('lets a reader read, an annotator judge, and nobody make projects who may not write', async () => {
    const reader = await trace.user('reader', { roles: { acme: 'reader' } });
    const annotator = await trace.user('annotator', { roles: { acme: 'annotator' } });
    const refused = await trace.as(reader).post('/feedback/create', aFeedback());
    expect([refused.status, refused.json()]).toEqual([
      403,
      { detail: "This needs the role 'annotator' on entity 'acme'.", code: 'access.denied' },
    ]);
    expect((await trace.as(reader).post('/feedback/query', { project_id: 'acme/demo' })).status).toBe(200);
    expect((await trace.as(annotator).post('/feedback/create', aFeedback())).status).toBe(200);
    const made = await trace.as(annotator).post('/feedback/create', aFeedback({ project_id: 'acme/fresh' }));
    expect([made.status, made.json().detail]).toEqual([403, "This needs the role 'writer' on entity 'acme'."]);
    const model = await trace.as(annotator).post('/v2/acme/demo/models', { name: 'm', source_code: '' });
    expect(model.status).toBe(403);
    expect(await projects()).not.toContainEqual({ name: 'fresh' });
  });

  it("makes an entity and a project at an administrator's first write", async () => {
    const admin = await trace.user('admin', { isAdmin: true });
    expect((await trace.as(admin).post('/feedback/create', aFeedback({ project_id: 'new/one' }))).status).toBe(200);
    const rows = await trace.sql(
      'SELECT e.name AS entity, p.name AS project FROM projects p JOIN entities e ON e.id = p.entity_id',
    );
    expect(rows).toContainEqual({ entity: 'new', project: 'one' });
  });

  it('answers queries on an unknown project empty and makes nothing', async () => {
    const before = await projects();
    const objects = await trace.as(trace.writer).post('/objs/query', { project_id: 'acme/nothing' });
    const feedback = await trace.as(trace.writer).post('/feedback/query', { project_id: 'acme/nothing' });
    expect([objects.text, feedback.text]).toEqual(['{"objs":[]}', '{"result":[],"total_count":0}']);
    expect(await projects()).toEqual(before);
  });

  it('answers 404 to reads, updates and deletes in an unknown project', async () => {
    const client = trace.as(trace.writer);
    const responses = [
      await client.get('/v2/acme/nothing/models/m/versions/v0'),
      await client.delete('/v2/acme/nothing/evaluations/e'),
      await client.post('/annotation_queues/q/items/i/progress', {
        project_id: 'acme/nothing',
        annotation_state: 'skipped',
      }),
    ];
    for (const response of responses)
      expect([response.status, response.json().code]).toEqual([404, 'project.not_found']);
    expect(await projects()).not.toContainEqual({ name: 'nothing' });
  });

  it('limits requests per key where the operator says so', async () => {
    const limited = await startTestApp(TraceModule, { rateLimitRps: 2 });
    const query = (body: object) => limited.as(limited.writer).post('/objs/query', body);
    expect((await query({ project_id: 'acme/demo' })).status).toBe(200);
    // All at once: later calls would get new ones.
    const answers = await Promise.all(Array.from({ length: 20 }, () => query({})));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422, 429]));
    for (const { json, headers } of answers.filter(({ status }) => status === 429))
      expect([json().code, Number(headers['retry-after'])]).toEqual(['rate.limited', 1]);
    await limited.close();
  });
});
