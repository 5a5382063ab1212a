import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { UserHash } from './user-hash.js';
import { UserHashRepository } from './user-hash.repository.js';

describe('UserHash', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  async function aGateway(): Promise<UserHash> {
    const hash = new UserHash(new UserHashRepository(test.db));
    await hash.onApplicationBootstrap();
    return hash;
  }

  it('is the same for one user in all gateways, and differs between users', async () => {
    const [first, second] = await Promise.all([aGateway(), aGateway()]);
    expect(first.of('jane')).toBe(second.of('jane'));
    expect((await aGateway()).of('jane')).toBe(first.of('jane'));
    expect(first.of('jane')).not.toBe(first.of('john'));
  });

  it('does not show the user', async () => {
    expect((await aGateway()).of('jane')).toMatch(/^[0-9a-f]{16}$/);
  });
});
