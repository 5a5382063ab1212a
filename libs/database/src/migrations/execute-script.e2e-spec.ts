import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { executeScript } from './execute-script.js';

describe('executeScript', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('executes functions, whose bodies have semicolons', async () => {
    await executeScript(
      database.url,
      `CREATE FUNCTION one_more(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN n := n + 1; RETURN n; END $$;
       CREATE TABLE counted AS SELECT one_more(1) AS n;`,
    );
    expect(await database.sql('SELECT n FROM counted')).toEqual([{ n: 2 }]);
  });

  it('leaves nothing of a script that fails', async () => {
    const script = 'CREATE TABLE half (n int); INSERT INTO half VALUES (1 / 0);';
    await expect(executeScript(database.url, script)).rejects.toThrow('division by zero');
    expect(await database.sql(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
  });
});
