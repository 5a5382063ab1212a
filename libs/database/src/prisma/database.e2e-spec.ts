import { createTestDatabase, type TestDatabase } from '@hone/testing';

import {
  Database,
  isDatabaseUnavailable,
  isLockTimeout,
  isStatementTimeout,
  isUniqueViolation,
  Prisma,
  textArray,
} from '../index.js';

/** Time enough for what is not meant to take long. */
const STATEMENT_TIMEOUT_MS = 1_000;

describe('Database', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = Database.connect({ url: test.url, poolSize: 3, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const insert = (key: string) => Prisma.sql`INSERT INTO settings (key, value) VALUES (${key}, 'x')`;
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it.each([
    ['through Prisma', (statement: Prisma.Sql) => database.client.$executeRaw(statement)],
    ['through the pool', (statement: Prisma.Sql) => database.executeBulk(statement)],
    ['in a transaction', (statement: Prisma.Sql) => database.transaction(() => database.executeBulk(statement))],
  ])('tells what went wrong %s', async (how, execute) => {
    expect(await execute(insert(how))).toBe(1);
    expect(isUniqueViolation(await failure(execute(insert(how))))).toBe(true);
    const slow = await failure(execute(Prisma.sql`INSERT INTO settings SELECT pg_sleep(600)::text, ''`));
    expect([isStatementTimeout(slow), isDatabaseUnavailable(slow)]).toEqual([true, false]);
  });

  it.each([
    ['through the pool', (work: () => Promise<unknown>) => work()],
    ['in a transaction', (work: () => Promise<unknown>) => database.transaction(work)],
  ])('takes texts of any kind as an array %s, again and again', async (how, within) => {
    for (const texts of [['', null, 'null', 'a"b\\,{}', 'é😀', 'x'.repeat(70_000)], [null], ['1']]) {
      await within(async () => {
        const made = Prisma.sql`unnest(${textArray(texts)}::text[]) WITH ORDINALITY AS made (text, n)`;
        await database.executeBulk(
          Prisma.sql`INSERT INTO settings (key, value) SELECT ${how} || n, coalesce(text, 'none') FROM ${made}`,
        );
        expect(await database.queryBulk(Prisma.sql`SELECT text FROM ${made} ORDER BY n`)).toEqual(
          texts.map((text) => ({ text })),
        );
      });
      expect(await test.sql(`SELECT 1 FROM settings WHERE value = 'none'`)).toHaveLength(texts.includes(null) ? 1 : 0);
      await test.sql(`DELETE FROM settings`);
    }
  });

  it('tells that a lock was not free', async () => {
    let locked: unknown;
    await test.db.transaction(async () => {
      await test.db.client.$executeRaw`LOCK TABLE settings IN ACCESS EXCLUSIVE MODE`;
      locked = await failure(
        database.transaction(async () => {
          await database.client.$executeRaw`SELECT set_config('lock_timeout', '50ms', true)`;
          await database.executeBulk(insert('locked'));
        }),
      );
    });
    expect(isLockTimeout(locked)).toBe(true);
  });

  it('has the server end transactions that stand still, later where they may', async () => {
    const limitOf = (options?: { timeoutMs: number }) =>
      database.transaction(async () => {
        const rows = await database.client.$queryRaw<object[]>`SHOW idle_in_transaction_session_timeout`;
        return Object.values(rows[0] as object)[0];
      }, options);
    expect([await limitOf(), await limitOf({ timeoutMs: 90_000 }), await limitOf()]).toEqual(['6s', '90s', '6s']);
  });

  it('tells that nothing listens', async () => {
    const nowhere = Database.connect({ url: 'postgres://x:y@127.0.0.1:1/z' });
    for (const work of [nowhere.ping(), nowhere.executeBulk(insert('a')), nowhere.transaction(() => nowhere.ping())]) {
      expect(isDatabaseUnavailable(await failure(work))).toBe(true);
    }
    await nowhere.close();
  });

  it('keeps nothing of a transaction that fails, and runs what waits for a commit only after one', async () => {
    const effects: string[] = [];
    const work = database.transaction(async () => {
      await database.afterCommit(() => effects.push('failed'));
      await database.executeBulk(insert('rolled back'));
      throw new Error('no');
    });
    expect(await failure(work)).toMatchObject({ message: 'no' });
    await database.transaction(async () => {
      await database.executeBulk(insert('kept'));
      await database.afterCommit(async () => {
        // On a connection of its own.
        const { length } = await test.sql(`SELECT 1 FROM settings WHERE key = 'kept'`);
        effects.push(`committed ${length}, ${database.inTransaction ? 'within' : 'after'}`);
      });
      effects.push('worked');
    });
    expect(effects).toEqual(['worked', 'committed 1, after']);
    expect(await test.sql(`SELECT 1 FROM settings WHERE key = 'rolled back'`)).toEqual([]);
  });

  describe.each([false, true])('a stream that reads ahead: %s', (isAhead) => {
    const read = async (rows: number, onRows: (values: number[]) => Promise<void>) =>
      database.stream<{ n: number }>(
        Prisma.sql`SELECT n FROM generate_series(1, ${rows}) AS n`,
        { batchRows: 10, isAhead },
        (batch) => onRows(batch.map(({ n }) => n)),
      );

    it.each([0, 1, 10, 25, 30])('gives %d rows in their order, batch by batch', async (count) => {
      const batches: number[][] = [];
      await read(count, async (values) => {
        batches.push(values);
        // In the same transaction, and while the next batch may be on its way.
        await database.client.$queryRaw`SELECT 1`;
      });
      expect(batches.flat()).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect(batches.every(({ length }) => length > 0 && length <= 10)).toBe(true);
    });

    it('ends where its reader fails, and its connection serves the next one', async () => {
      let seen = 0;
      const reading = read(100, async ({ length }) => {
        seen += length;
        if (seen === 20) throw new Error('enough');
      });
      expect(await failure(reading)).toMatchObject({ message: 'enough' });
      expect(seen).toBe(20);
      await read(5, async ({ length }) => expect(length).toBe(5));
    });
  });
});
