import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { migrate, PRISMA_DIR } from './migrate.js';

const NAME = '20261201100100_usage_of_items';

describe('the migration to an index of the usage of items', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'usage-of-items-'));
    for (const name of await readdir(join(PRISMA_DIR, 'migrations'))) {
      if (name < NAME)
        await cp(join(PRISMA_DIR, 'migrations', name), join(folder, 'migrations', name), { recursive: true });
    }
    await database.sql('DROP SCHEMA public CASCADE');
    await database.sql('CREATE SCHEMA public');
    await migrate(database.url, folder);
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** @param day counts from today. @returns the name of the partition, made as the gateway makes it */
  async function aPartition(day: number): Promise<string> {
    const [bounds] = (await database.sql<{ name: string; from: string; to: string }>(
      `SELECT 'usage_records_' || to_char(d, 'YYYYMMDD') AS name, d::text AS from, (d + 1)::text AS to
       FROM (SELECT (now() AT TIME ZONE 'UTC')::date + $1::int AS d) days`,
      [day],
    )) as [{ name: string; from: string; to: string }];
    const { name, from, to } = bounds;
    await database.sql(`CREATE TABLE ${name} (LIKE usage_records INCLUDING ALL)`);
    await database.sql(`ALTER TABLE usage_records ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
    return name;
  }
  const indexed = async () =>
    (
      await database.sql<{ name: string }>(
        `SELECT tablename AS name FROM pg_indexes WHERE indexdef LIKE '%"left"(rid, 36)%' AND tablename <> 'usage_records' ORDER BY 1`,
      )
    ).map(({ name }) => name);

  it('indexes the partitions of today and yesterday, and each that comes', async () => {
    const [, yesterday, today] = [await aPartition(-2), await aPartition(-1), await aPartition(0)];
    await migrate(database.url);
    expect(await indexed()).toEqual([yesterday, today]);
    const tomorrow = await aPartition(1);
    expect(await indexed()).toEqual([yesterday, today, tomorrow]);
  });
});
