import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Database, EmbeddedPostgres, migrate } from '@hone/database';
import { createTestUser, type TestUser, until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { NO_LIMITS } from '../../metering/limits/limits.js';
import { LimitsRepository } from '../../metering/limits/limits.repository.js';
import { fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.fixture.js';

const REQUESTS_PER_MINUTE = 6;

describe('a gateway whose database becomes unavailable', () => {
  let dir: string;
  let postgres: EmbeddedPostgres;
  let fake: FakeUpstream;
  let warm: TestUser;
  let cold: TestUser;
  let limited: TestUser;
  let gateway: GatewayProcess | undefined;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'gateway-outage-'));
    [postgres, fake] = await Promise.all([EmbeddedPostgres.start({ dir }), FakeUpstream.start({ name: 'a' })]);
    await postgres.createDatabase('hone');
    const url = postgres.url('hone');
    await migrate(url);
    await withDatabase(async (database) => {
      warm = await createTestUser(database, 'wendy');
      cold = await createTestUser(database, 'colin');
      limited = await createTestUser(database, 'lilly');
      const limits = { ...NO_LIMITS, requestsPerMinute: REQUESTS_PER_MINUTE };
      await new LimitsRepository(database).put({ scope: 'key', id: limited.keyId }, limits);
    });
    gateway = await startGatewayProcess(url, warm.key, {
      upstreams: [fakeUpstream(fake, 'up', ['ok'])],
      routes: [routeTo('chat', { upstream: 'up', model: 'ok' })],
    });
  });
  afterAll(async () => {
    await gateway?.remove();
    await Promise.all([postgres.stop(), fake.stop()]);
    await rm(dir, { recursive: true, force: true });
  });

  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = Database.connect({ url: postgres.url('hone'), poolSize: 1 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
  const running = () => gateway as GatewayProcess;
  const as = ({ key }: TestUser) => new GatewayClient(running().url, key);
  const ask = async (user: TestUser, rid: string, fields: object = {}) =>
    as(user).ask({ model: 'chat', ...fields }, { 'x-request-id': rid });
  const lagBytes = () => running().metric('hone_gateway_usage_journal_lag_bytes');

  it('serves cached keys, refuses others, and writes all usage when the database is back', async () => {
    for (const user of [warm, limited]) expect((await ask(user, `before-${user.username}`)).isWhole).toBe(true);
    await until(async () => (await lagBytes()) === 0);
    await postgres.stop();

    const served = ['before-wendy', 'before-lilly'];
    for (let n = 0; n < 6; n++) {
      const answer = await ask(warm, `during-${n}`, { stream: n % 2 === 1 });
      expect([n, answer.status, answer.isWhole, answer.text]).toEqual([n, 200, true, 'a0 a1 a2 a3 a4 a5 a6 a7']);
      served.push(`during-${n}`);
    }
    const strange = await ask(cold, 'cold');
    expect(strange.errorCode).toBe('overloaded');
    expect(strange.headers.get('retry-after')).toBe('1');
    expect(strange.status).toBe(503);
    expect(await lagBytes()).toBeGreaterThan(0);
    expect((await as(warm).get('/readyz')).status).toBe(503);

    // Without the database the process grants one minute's worth.
    const sinceMs = Date.now();
    const granted: string[] = [];
    for (let status = 200; status === 200;) {
      const rid = `limited-${granted.length}`;
      ({ status } = await ask(limited, rid));
      if (status === 200) granted.push(rid);
      else expect(status).toBe(429);
    }
    const minutes = 1 + (Date.now() - sinceMs) / 60_000;
    expect(granted.length).toBeGreaterThan(0);
    expect(granted.length).toBeLessThanOrEqual(REQUESTS_PER_MINUTE * minutes);
    served.push(...granted);

    postgres = await EmbeddedPostgres.start({ dir, port: postgres.port });
    await until(async () => (await ask(cold, 'back')).isWhole);
    await until(async () => (await lagBytes()) === 0);
    const rids = await withDatabase(async ({ client }) =>
      (await client.usageRecord.findMany({ where: { status: 'ok' } })).map(({ rid }) => rid),
    );
    expect(rids.sort()).toEqual([...served, 'back'].sort());
    expect((await ask(warm, 'after')).isWhole).toBe(true);
  });

  it('refuses a key that was revoked during the outage', async () => {
    expect((await ask(warm, 'known')).status).toBe(200);
    // Without a notification, as by an operator in the middle of a repair.
    await postgres.stop();
    expect((await ask(warm, 'unknown')).status).toBe(200);
    postgres = await EmbeddedPostgres.start({ dir, port: postgres.port });
    await withDatabase(({ client }) =>
      client.apiKey.update({ where: { id: warm.keyId }, data: { revokedAt: new Date() } }),
    );
    // Without a notification the key would be cached for half a minute.
    await until(async () => (await ask(warm, 'refused')).status === 401, 'a refusal', 25_000);
  });
});
