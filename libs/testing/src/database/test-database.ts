import { randomBytes } from 'node:crypto';

import { Database } from '@hone/database';
import pg from 'pg';

const TEMPLATE = 'hone_template';

/** A database of its own for one test file: a copy of the migrated template. */
export interface TestDatabase {
  url: string;
  /** For reading what was stored and for arranging rows. */
  db: Database;
  /** Plain SQL, `$1` parameters. */
  sql: <Row = Record<string, unknown>>(text: string, parameters?: unknown[]) => Promise<Row[]>;
  drop: () => Promise<void>;
}

/** So many statements in the database of `sql`, or more, wait for locks at the moment. */
export async function waitsForLock(sql: TestDatabase['sql'], statements = 1): Promise<boolean> {
  const waiting = await sql(`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return waiting.length >= statements;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copied as files: written through the log, the ten megabytes would cost up to eight times as much.
  await admin(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  const url = new URL(serverUrl());
  url.pathname = name;
  const pool = new pg.Pool({ connectionString: url.href, max: 3 });
  pool.on('error', () => undefined);
  const db = Database.connect({ url: url.href, poolSize: 3 });
  return {
    url: url.href,
    db,
    sql: async (text, parameters) => (await pool.query(text, parameters)).rows,
    drop: async () => {
      await db.close();
      await pool.end();
      await admin(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function serverUrl(): string {
  const url = process.env['HONE_TEST_POSTGRES_URL'];
  if (!url) throw new Error('HONE_TEST_POSTGRES_URL is not set: run the tests through `npm test`.');
  return url;
}

/** Copying a template fails while another session copies it, so these statements take turns. */
async function admin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(4663002)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}
