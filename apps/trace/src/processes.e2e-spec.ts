import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Database, EmbeddedPostgres, migrate } from '@hone/database';
import {
  createTestDatabase,
  createTestUser,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
  until,
  waitsForLock,
} from '@hone/testing';

import { aFeedback } from './testing/bodies.fixture.js';
import { postTo } from './testing/service.fixture.js';

const byId = (id: string) => ({
  project_id: 'acme/demo',
  fields: ['id'],
  query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } },
});

describe('processes of the trace service', () => {
  let database: TestDatabase;
  let user: TestUser;
  let first: ServiceProcess;
  let second: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    user = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    [first, second] = await Promise.all([
      startService('trace', { DATABASE_URL: database.url }),
      startService('trace', { DATABASE_URL: database.url }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')]);
    await database.drop();
  });

  it('reads through one what was written through another, at once, 1,000 times', async () => {
    const lane = async (from: number) => {
      for (let n = from; n < 1_000; n += 8) {
        const [writer, reader] = n % 2 ? [first, second] : [second, first];
        expect((await postTo(writer, user, '/feedback/create', aFeedback({ id: `n-${n}` }))).status).toBe(200);
        expect((await postTo(reader, user, '/feedback/query', byId(`n-${n}`))).json['total_count']).toBe(1);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, from) => lane(from)));
  }, 600_000);

  it('revokes a key in both at once', async () => {
    const other = await createTestUser(database.db, 'rita', { roles: { acme: 'writer' } });
    for (const service of [first, second])
      expect((await postTo(service, other, '/feedback/query', byId('x'))).status).toBe(200);
    await database.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [other.keyId]);
    await database.sql(`SELECT pg_notify('hone_auth', $1)`, [other.id]);
    const statuses = async () =>
      Promise.all(
        [first, second].map(async (service) => (await postTo(service, other, '/feedback/query', byId('x'))).status),
      );
    // Without the notification the key would stay cached for half a minute.
    await until(async () => (await statuses()).every((status) => status === 401), 'the end of the key', 25_000);
  });

  it('loses no acknowledged write when it is killed, and repeats a keyed one once', async () => {
    const victim = await startService('trace', { DATABASE_URL: database.url });
    const acknowledged: string[] = [];
    let isRunning = true;
    const lane = async (name: number) => {
      for (let n = 0; isRunning; n++) {
        const id = `kill-${name}-${n}`;
        const keyed = n % 2 ? { 'idempotency-key': id } : {};
        const response = await postTo(
          victim,
          user,
          '/feedback/create',
          aFeedback({ id }),
          keyed as Record<string, string>,
        ).catch(() => undefined);
        if (response?.status === 200) acknowledged.push(id);
      }
    };
    const lanes = Array.from({ length: 16 }, (_, name) => lane(name));
    await until(() => acknowledged.length >= 200, 'enough writes');
    await victim.stop('SIGKILL');
    isRunning = false;
    await Promise.all(lanes);
    const rows = await database.sql<{ id: string }>(`SELECT id FROM feedback WHERE id LIKE 'kill-%'`);
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    const retried = await postTo(first, user, '/feedback/create', aFeedback({ id: 'kill-0-1' }), {
      'idempotency-key': 'kill-0-1',
    });
    expect(retried.status).toBe(200);
    expect(await database.sql(`SELECT 1 FROM feedback WHERE id = 'kill-0-1'`)).toHaveLength(1);
  });

  it('finishes running requests on SIGTERM and exits 0', async () => {
    const service = await startService('trace', { DATABASE_URL: database.url });
    const { running, stopped } = await database.db.transaction(async () => {
      await database.db.client.$executeRaw`LOCK TABLE feedback`;
      const running = postTo(service, user, '/feedback/create', aFeedback());
      await until(() => waitsForLock(database.sql), 'a request that waits');
      return { running, stopped: service.stop() };
    });
    expect([(await running).status, await stopped]).toEqual([200, 0]);
  });

  it('names a wrong variable and exits 1', async () => {
    const cases = { HONE_REF_SCHEME: 'Hone', DATABASE_URL: 'mysql://x', HONE_TRACE_MAX_BODY_BYTES: 'many' };
    for (const [variable, value] of Object.entries(cases)) {
      await expect(startService('trace', { DATABASE_URL: database.url, [variable]: value })).rejects.toThrow(
        `${variable} is wrong: expected`,
      );
    }
    await expect(startService('trace', { DATABASE_URL: database.url, HONE_REF_SCHEME: 'other' })).rejects.toThrow(
      "expected 'hone', with which this database was made",
    );
  });
});

describe('a database that goes away', () => {
  it('is answered 503 until it is back, without a restart', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'hone-outage-'));
    let postgres = await EmbeddedPostgres.start({ dir });
    const { port } = postgres;
    await postgres.createDatabase('hone');
    const url = postgres.url('hone');
    await migrate(url);
    const db = Database.connect({ url, poolSize: 1 });
    const user = await createTestUser(db, 'wendy', { roles: { acme: 'writer' } });
    await db.close();
    const service = await startService('trace', { DATABASE_URL: url });
    const probe = async (path: string) => (await fetch(service.url + path)).status;
    expect((await postTo(service, user, '/feedback/create', aFeedback())).status).toBe(200);

    await postgres.stop();
    const down = await postTo(service, user, '/feedback/create', aFeedback());
    expect([down.status, down.json, down.headers.get('retry-after')]).toEqual([
      503,
      { detail: 'The database is not available.', code: 'database.unavailable' },
      '1',
    ]);
    expect([await probe('/healthz'), await probe('/readyz')]).toEqual([200, 503]);

    postgres = await EmbeddedPostgres.start({ dir, port });
    await until(async () => (await probe('/readyz')) === 200, 'its readiness');
    expect((await postTo(service, user, '/feedback/create', aFeedback())).status).toBe(200);
    expect((await postTo(service, user, '/objs/query', { project_id: 'acme/demo' })).status).toBe(200);

    await service.stop();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  });
});
