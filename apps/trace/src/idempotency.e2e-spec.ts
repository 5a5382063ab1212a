import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

describe('Idempotency-Key', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
  const count = async () => Number((await trace.sql<{ n: string }>('SELECT count(*) AS n FROM feedback'))[0]?.n);

  it('makes one record of a repeated create and says so', async () => {
    const before = await count();
    const first = await client.post('/feedback/create', aFeedback({ payload: { n: 1 } }), withKey('k'));
    const again = await client.post('/feedback/create', aFeedback({ payload: { n: 1 } }), withKey('k'));
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(await count()).toBe(before + 1);
  });

  it('refuses the key with another body', async () => {
    await client.post('/feedback/create', aFeedback(), withKey('reused'));
    const other = await client.post('/feedback/create', aFeedback({ payload: { n: 2 } }), withKey('reused'));
    expect([other.status, other.json()]).toEqual([
      409,
      { detail: "Idempotency-Key 'reused' was used with another body.", code: 'idempotency.key_reused' },
    ]);
  });

  it('keeps the keys of users, routes and projects apart', async () => {
    const other = await trace.user('olga', { roles: { acme: 'writer' } });
    const before = await count();
    for (const who of [trace.writer, other]) await trace.as(who).post('/feedback/create', aFeedback(), withKey('mine'));
    await client.post('/feedback/create', aFeedback({ project_id: 'acme/second' }), withKey('mine'));
    await client.post('/feedback/batch/create', { batch: [aFeedback()] }, withKey('mine'));
    expect(await count()).toBe(before + 4);
  });

  it('runs 20 parallel requests with one key once', async () => {
    const before = await count();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/feedback/create', aFeedback(), withKey('parallel'))),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('remembers no failure', async () => {
    const bad = await client.post('/feedback/create', aFeedback({ feedback_type: 'hone.note.1' }), withKey('failed'));
    const good = await client.post('/feedback/create', aFeedback(), withKey('failed'));
    expect([bad.status, good.status]).toEqual([422, 200]);
  });

  it('forgets after 24 hours', async () => {
    const first = await client.post('/feedback/create', aFeedback(), withKey('old'));
    await trace.sql(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'old'`);
    const later = await client.post('/feedback/create', aFeedback(), withKey('old'));
    expect(later.json().id).not.toBe(first.json().id);
  });

  it('takes a key on a path of any length', async () => {
    const path = `/annotation_queues/${'%F0%A0%80%80'.repeat(150)}/items`;
    const response = await client.post(path, { project_id: PROJECT, call_ids: [] }, withKey('k'.repeat(255)));
    expect(response.json().code).toBe('annotation.queue_not_found');
  });

  it('refuses keys that are none', async () => {
    for (const key of ['', 'with blank', 'é', 'x'.repeat(256)]) {
      const response = await client.post('/feedback/create', aFeedback(), withKey(key));
      expect([response.status, response.json().code]).toEqual([400, 'idempotency.key_invalid']);
    }
  });

  it('means nothing to reads and deletes', async () => {
    await client.post('/v2/acme/demo/models', { name: 'm', source_code: '' });
    const responses = [
      await client.post('/feedback/query', { project_id: PROJECT }, withKey('read')),
      await client.post('/objs/query', { project_id: PROJECT }, withKey('read')),
      await client.get('/v2/acme/demo/models/m/versions/v0', withKey('read')),
      await client.delete('/v2/acme/demo/evaluations/none', undefined, withKey('read')),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(responses[0]?.json().result).toEqual(expect.any(Array));
    expect(await trace.sql(`SELECT 1 FROM idempotency_keys WHERE key = 'read'`)).toEqual([]);
  });

  it('holds for every other write', async () => {
    const first = await client.post('/annotation_queues', { project_id: PROJECT, name: 'q' }, withKey('queue'));
    const again = await client.post('/annotation_queues', { project_id: PROJECT, name: 'q' }, withKey('queue'));
    expect(again.text).toBe(first.text);
    expect(await trace.sql(`SELECT 1 FROM annotation_queues`)).toHaveLength(1);
  });
});
