import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { migrate } from './migrate.js';

const FUNCTION = `CREATE FUNCTION one_more(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN n := n + 1; RETURN n; END $$;
  CREATE TABLE counted AS SELECT one_more(1) AS n;`;

describe('migrate', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** Migrations of the name -> its script. */
  const withMigrations = async (scripts: Record<string, string>): Promise<string> => {
    for (const [name, sql] of Object.entries(scripts)) {
      await mkdir(join(folder, 'migrations', name), { recursive: true });
      await writeFile(join(folder, 'migrations', name, 'migration.sql'), sql);
    }
    return folder;
  };
  const exists = async (table: string) =>
    (await database.sql(`SELECT to_regclass('${table}') IS NOT NULL AS found`))[0]?.['found'];

  it('finds nothing to do on a migrated database', async () => {
    expect(await migrate(database.url)).toEqual([]);
  });

  it('applies what is missing in the order of names, functions whose bodies have semicolons included', async () => {
    const migrations = await withMigrations({ '2_two': 'INSERT INTO counted VALUES (7)', '1_one': FUNCTION });
    expect(await migrate(database.url, migrations)).toEqual(['1_one', '2_two']);
    expect(await database.sql('SELECT n FROM counted ORDER BY n')).toEqual([{ n: 2 }, { n: 7 }]);
    expect(await migrate(database.url, migrations)).toEqual([]);
  });

  it('applies each once when several processes start at once', async () => {
    const migrations = await withMigrations({ '1_one': FUNCTION });
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, migrations)));
    expect(applied.flat()).toEqual(['1_one']);
  });

  it('leaves nothing of a migration that fails, and applies it once it is mended', async () => {
    const broken = await withMigrations({
      '1_one': 'CREATE TABLE whole (n int)',
      '2_two': 'CREATE TABLE half (n int); INSERT INTO half VALUES (1 / 0);',
    });
    await expect(migrate(database.url, broken)).rejects.toThrow('The migration 2_two failed: division by zero');
    expect([await exists('whole'), await exists('half')]).toEqual([true, false]);
    const mended = await withMigrations({ '2_two': 'CREATE TABLE half (n int)' });
    expect(await migrate(database.url, mended)).toEqual(['2_two']);
  });

  it('records a migration as the tool of Prisma does', async () => {
    await migrate(database.url, await withMigrations({ '1_one': 'SELECT 1' }));
    const columns =
      'checksum, applied_steps_count AS steps, finished_at >= started_at AS finished, rolled_back_at AS back';
    expect(await database.sql(`SELECT ${columns} FROM _prisma_migrations WHERE migration_name = '1_one'`)).toEqual([
      {
        checksum: 'e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5',
        steps: 1,
        finished: true,
        back: null,
      },
    ]);
  });

  it('refuses to go on after a migration that an earlier version left half-way', async () => {
    await database.sql(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '1_one')`);
    const migrations = await withMigrations({ '1_one': 'SELECT 1' });
    await expect(migrate(database.url, migrations)).rejects.toThrow('The migration 1_one began and did not end');
    await database.sql(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = '1'`);
    expect(await migrate(database.url, migrations)).toEqual(['1_one']);
  });

  it('refuses a database that holds the tables of someone else', async () => {
    await database.sql('DROP TABLE _prisma_migrations');
    await expect(migrate(database.url)).rejects.toThrow('The database has tables that are not of Hone');
  });
});
