import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

/** Run in a process of its own: a second engine of migrations in one process never answers under Jest. */
const MIGRATE = `import { migrate } from '@hone/database'; await migrate(process.argv[1], process.argv[2]);`;
const MIGRATIONS = join(import.meta.dirname, '../../../../prisma/migrations');

/** All rows of a database, with what is needed to insert them into one of the same schema. */
export interface DatabaseDump {
  /** ISO 8601. */
  readonly dumpedAt: string;
  /** Names of the migrations that made the schema. */
  readonly migrations: readonly string[];
  /** Partitions that services created. */
  readonly partitions: readonly { parent: string; name: string; bound: string }[];
  /** Each row is the text of a JSON object, in which numbers keep their digits. */
  readonly tables: readonly { name: string; columns: readonly string[]; rows: readonly string[] }[];
  readonly sequences: readonly { name: string; value: string }[];
}

/** @param url of a database that nothing writes to */
export async function dumpDatabase(url: string): Promise<DatabaseDump> {
  return withClient(url, async (client) => {
    const list = async <Row>(text: string) => (await client.query(text)).rows as Row[];
    const tables = await list<{ name: string; columns: string[] }>(`
      SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relname <> '_prisma_migrations' GROUP BY c.relname ORDER BY c.relname`);
    const filled: DatabaseDump['tables'][number][] = [];
    for (const table of tables) {
      const found = await list<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM "${table.name}" t`);
      if (found.length > 0) filled.push({ ...table, rows: found.map(({ row }) => row) });
    }
    const migrations = await list<{ name: string }>('SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1');
    return {
      dumpedAt: new Date().toISOString(),
      migrations: migrations.map(({ name }) => name),
      partitions: await list(`
        SELECT p.relname AS parent, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
        WHERE c.relkind = 'r' AND c.relispartition ORDER BY c.relname`),
      tables: filled,
      sequences: await list(
        'SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE last_value IS NOT NULL',
      ),
    };
  });
}

/** Makes the schema that the dump is of, by its migrations alone, and inserts its rows. @param url an empty database */
export async function restoreDatabase(url: string, dump: DatabaseDump): Promise<void> {
  await migrateTo(url, dump.migrations);
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    // Tables come in the order of their names: what a row refers to may come later.
    await client.query(`SET LOCAL session_replication_role = 'replica'`);
    for (const { parent, name, bound } of dump.partitions)
      await client.query(`CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF "${parent}" ${bound}`);
    for (const { name, columns, rows } of dump.tables) {
      const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      await client.query(`DELETE FROM "${name}"`); // what migrations insert is among the rows
      await client.query(
        `INSERT INTO "${name}" (${list}) SELECT ${list} FROM json_populate_recordset(NULL::"${name}", $1::json)`,
        [`[${rows.join(',')}]`],
      );
    }
    for (const { name, value } of dump.sequences) await client.query('SELECT setval($1, $2)', [`"${name}"`, value]);
    await postponeDeadlines(client, dump.dumpedAt);
    await client.query('COMMIT');
  });
}

/** Open jobs may wait a day at most, and sessions end: their times move as if the dump had been made a minute ago. */
async function postponeDeadlines(client: pg.Client, dumpedAt: string): Promise<void> {
  for (const [table, rowsToMove] of [
    ['training_jobs', 'finished_at IS NULL'],
    ['sessions', 'true'],
  ] as const) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_name = $1 AND data_type = 'timestamp with time zone'`,
      [table],
    );
    if (rows.length === 0) continue; // older schemas have no sessions
    const moved = rows.map(({ name }) => `"${name}" = "${name}" + (now() - $1::timestamptz) - interval '1 minute'`);
    await client.query(`UPDATE ${table} SET ${moved.join(', ')} WHERE ${rowsToMove}`, [dumpedAt]);
  }
}

async function migrateTo(url: string, names: readonly string[]): Promise<void> {
  const prismaDir = await mkdtemp(join(tmpdir(), 'hone-migrations-'));
  try {
    for (const name of [...names, 'migration_lock.toml'])
      await cp(join(MIGRATIONS, name), join(prismaDir, 'migrations', name), { recursive: true });
    const args = ['--input-type=module', '-e', MIGRATE, url, prismaDir];
    await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  } finally {
    await rm(prismaDir, { recursive: true });
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
