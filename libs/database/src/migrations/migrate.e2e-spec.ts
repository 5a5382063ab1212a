import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { migrate } from './migrate.js';

describe('migrate', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('finds nothing to do on a migrated database', async () => {
    expect(await migrate(database.url)).toEqual([]);
  });
});
