import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { openSchemaEngine, type MigrationsList } from './schema-engine.js';

/** Any number, the same in every process: one of them migrates, the others wait. */
const MIGRATION_LOCK = 4_663_001;

/** `prisma/` of the repository, or of the image. */
export const PRISMA_DIR = join(import.meta.dirname, '../../../../prisma');

/**
 * Applies the migrations of `prisma/migrations` that the database does not have yet, in name order.
 * Safe to run from several processes at once.
 *
 * @returns the names of those applied now
 */
export async function migrate(databaseUrl: string, prismaDir = PRISMA_DIR): Promise<string[]> {
  const lock = new pg.Client({ connectionString: databaseUrl });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrationsList = await readMigrations(join(prismaDir, 'migrations'));
    if (await isUpToDate(lock, migrationsList)) return [];
    const { engine, close } = await openSchemaEngine(databaseUrl);
    try {
      const filters = { externalTables: [], externalEnums: [] };
      return (await engine.applyMigrations({ migrationsList, filters })).appliedMigrationNames;
    } finally {
      await close();
    }
  } finally {
    await lock.end();
  }
}

async function readMigrations(baseDir: string): Promise<MigrationsList> {
  const entries = await readdir(baseDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const lockfile = {
    path: 'migration_lock.toml',
    content: await readFile(join(baseDir, 'migration_lock.toml'), 'utf8'),
  };
  const migrationDirectories = await Promise.all(
    names.sort().map(async (path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8') },
      },
    })),
  );
  return { baseDir, lockfile, migrationDirectories, shadowDbInitScript: '' };
}

/** Starting the engine takes most of a second, so a start with nothing to do asks the ordinary `_prisma_migrations` table first. */
async function isUpToDate(client: pg.Client, { migrationDirectories }: MigrationsList): Promise<boolean> {
  const { rows: tables } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known`);
  if (!tables[0].known) return false;
  const { rows } = await client.query(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(rows.map((row) => row.migration_name as string));
  return migrationDirectories.every(({ path }) => applied.has(path));
}
