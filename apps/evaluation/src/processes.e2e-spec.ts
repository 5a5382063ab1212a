import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EmbeddedPostgres, migrate } from '@hone/database';
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

async function readKinds(service: ServiceProcess, { key }: TestUser): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${service.url}/evaluation/scorer-kinds`, { headers });
  await response.arrayBuffer();
  return response.status;
}

const probe = async (service: ServiceProcess, path: string) => {
  const response = await fetch(service.url + path);
  return [response.status, await response.text()] as const;
};

describe('processes of the evaluation service', () => {
  let database: TestDatabase;
  let user: TestUser;
  const start = (variables: Record<string, string> = {}) =>
    startService('evaluation', { DATABASE_URL: database.url, ...variables });
  beforeAll(async () => {
    database = await createTestDatabase();
    user = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
  });
  afterAll(() => database.drop());

  it('tell that they are ready, and measure what they answer', async () => {
    const service = await start({ HONE_GATEWAY_URL: 'http://127.0.0.1:9' });
    expect(await readKinds(service, user)).toBe(200);
    expect((await probe(service, '/healthz'))[0]).toBe(200);
    const [status, ready] = await probe(service, '/readyz');
    expect([status, JSON.parse(ready)]).toMatchObject([200, { checks: { database: 'up' } }]);
    const [, metrics] = await probe(service, '/metrics');
    expect(metrics).toMatch(/http_request_duration_seconds_count\{.*route="\/evaluation\/scorer-kinds".*\} 1\n/);
    expect(await service.stop()).toBe(0);
  });

  it('revoke a key in all at once', async () => {
    const services = await Promise.all([start(), start()]);
    const other = await createTestUser(database.db, 'rita');
    const statuses = () => Promise.all(services.map((service) => readKinds(service, other)));
    expect(await statuses()).toEqual([200, 200]);
    await database.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [other.keyId]);
    await database.sql(`SELECT pg_notify('hone_auth', $1)`, [other.id]);
    // Without the notification the key would stay cached for half a minute.
    await until(async () => (await statuses()).every((status) => status === 401), 'the end of the key', 25_000);
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
  });

  it('finish running requests on SIGTERM and exit 0', async () => {
    const service = await start();
    const { running, stopped } = await database.db.transaction(async () => {
      await database.db.client.$executeRaw`LOCK TABLE api_keys`;
      const running = readKinds(service, user);
      await until(() => waitsForLock(database.sql), 'a request that waits');
      return { running, stopped: service.stop() };
    });
    expect([await running, await stopped]).toEqual([200, 0]);
  });

  it('name a wrong variable and exit 1', async () => {
    const cases = { HONE_REF_SCHEME: 'Hone', DATABASE_URL: 'mysql://x', HONE_GATEWAY_URL: 'gateway:3000' };
    for (const [variable, value] of Object.entries(cases))
      await expect(start({ [variable]: value })).rejects.toThrow(`${variable} is wrong: expected`);
  });
});

describe('a database that goes away', () => {
  it('takes the readiness of the evaluation service with it until it is back', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'hone-evaluation-'));
    let postgres = await EmbeddedPostgres.start({ dir });
    const { port } = postgres;
    await postgres.createDatabase('hone');
    const url = postgres.url('hone');
    await migrate(url);
    const service = await startService('evaluation', { DATABASE_URL: url });
    const statusOf = async (path: string) => (await probe(service, path))[0];
    expect(await statusOf('/readyz')).toBe(200);

    await postgres.stop();
    const headers = { authorization: 'Bearer hone_unknown' };
    const down = await fetch(`${service.url}/evaluation/scorer-kinds`, { headers });
    expect([down.status, await down.json()]).toEqual([
      503,
      { detail: 'The database is not available.', code: 'database.unavailable' },
    ]);
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);

    postgres = await EmbeddedPostgres.start({ dir, port });
    await until(async () => (await statusOf('/readyz')) === 200, 'its readiness');
    await service.stop();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  });
});
