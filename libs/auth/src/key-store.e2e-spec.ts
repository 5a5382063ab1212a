import { startTestApp, type TestApp, type TestUser, until } from '@hone/testing';

import { WhoModule } from './auth.fixture.js';
import { KeyStore } from './key-store.js';

describe('a key in two processes on one database', () => {
  let first: TestApp;
  let second: TestApp;
  beforeAll(async () => {
    first = await startTestApp(WhoModule);
    second = await startTestApp(WhoModule, { databaseUrl: first.url });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  const statusOf = async (who: TestApp, { key }: TestUser) => (await who.as(`Bearer ${key}`).get('/bearer')).status;
  const revoke = (user: TestUser) => first.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [user.keyId]);

  /** Without a notification a process knows a key for half a minute. */
  async function endsInTheSecond(user: TestUser): Promise<void> {
    expect(
      await until(async () => [await statusOf(second, user)].find((status) => status !== 200), 'the end', 25_000),
    ).toBe(401);
  }

  it('ends in both soon after its revocation', async () => {
    const user = await first.user('ada');
    expect([await statusOf(first, user), await statusOf(second, user)]).toEqual([200, 200]);
    await revoke(user);
    await first.app.get(KeyStore).announceChange(user.id);
    expect(await statusOf(first, user)).toBe(401);
    await endsInTheSecond(user);
  });

  it('stays when the revocation is rolled back', async () => {
    const user = await first.user('bob');
    await statusOf(first, user);
    const { db } = first;
    const change = db.transaction(async () => {
      await db.client.apiKey.update({ where: { id: user.keyId }, data: { revokedAt: new Date() } });
      await first.app.get(KeyStore).announceChange(user.id);
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    expect([await statusOf(first, user), await statusOf(second, user)]).toEqual([200, 200]);
  });

  it('ends although the notification was lost with its connection', async () => {
    const user = await first.user('carol');
    await statusOf(second, user);
    await revoke(user); // without a notification
    expect(await statusOf(second, user)).toBe(200);
    await first.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await endsInTheSecond(user);
    // And the connection is back: the next notification arrives.
    const next = await first.user('dora');
    await statusOf(second, next);
    await revoke(next);
    await first.app.get(KeyStore).announceChange(next.id);
    await endsInTheSecond(next);
  });
});
