import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

/** Any number, the same in every process: one of them migrates, the others wait. */
const MIGRATION_LOCK = 4_663_001;

/** `prisma/` of the repository, or of the image. */
export const PRISMA_DIR = join(import.meta.dirname, '../../../../prisma');

/**
 * The table in which Prisma keeps what was applied, so that its command-line tool knows our databases, too.
 * Source: prisma-engines, `sql-schema-connector`, `imperative_migration_persistence`.
 */
const MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
    logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`;

interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** A migration was left half-way, or failed, or the database is someone else's. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * Applies the migrations of `prisma/migrations` that the database does not have yet, in name order: each in a transaction
 * with the row that records it, so that a killed process leaves all of it or nothing. Safe to run from several processes
 * at once.
 *
 * @returns the names of those applied now
 * @throws MigrationError
 */
export async function migrate(databaseUrl: string, prismaDir = PRISMA_DIR): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await findApplied(client);
    const missing = (await readMigrations(join(prismaDir, 'migrations'))).filter(({ name }) => !applied.has(name));
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

/** Names of the migrations that the database has. An empty database gets the table of migrations. */
async function findApplied(client: pg.Client): Promise<ReadonlySet<string>> {
  await assertOurs(client);
  await client.query(MIGRATIONS_TABLE);
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const unfinished = rows.find(({ finished }) => !finished);
  if (unfinished)
    throw new MigrationError(
      `The migration ${unfinished.name} began and did not end. Restore a backup, or, if you know whether it was applied, ` +
        'set finished_at or rolled_back_at of its row in _prisma_migrations.',
    );
  return new Set(rows.map(({ name }) => name));
}

/** @throws MigrationError there are tables, and none of them is ours */
async function assertOurs(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ known: boolean; isEmpty: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known,
       NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema()) AS "isEmpty"`,
  );
  if (!rows[0]?.known && !rows[0]?.isEmpty)
    throw new MigrationError('The database has tables that are not of Hone. Name an empty database, or one of Hone.');
}

async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), createHash('sha256').update(sql).digest('hex'), name],
    );
    await client.query('COMMIT');
  } catch (cause) {
    throw new MigrationError(`The migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
}
