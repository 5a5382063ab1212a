import type { TestApp, TestDatabase } from '@hone/testing';
import { until } from '@hone/testing/until';

import { ErasureJob } from '../calls/erasure/erasure-job.js';

/**
 * Erases until all marks are dealt with: they wait for older transactions, also those of other databases.
 *
 * @returns how many calls
 */
export async function erase(trace: TestApp): Promise<number> {
  let erased = 0;
  await until(async () => {
    erased += await trace.app.get(ErasureJob, { strict: false }).run();
    return (await trace.sql('SELECT FROM erased_digests')).length === 0;
  }, 'the end of older transactions');
  return erased;
}

/** Names of the tables that have a text in a row, in whatever column. */
export async function tablesWithText(sql: TestDatabase['sql'], text: string): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const isIn = name === 'blob_chunks' ? `position('${text}'::bytea IN t.bytes) > 0` : `t::text LIKE '%${text}%'`;
    const [row] = await sql<{ n: string }>(`SELECT count(*) AS n FROM "${name}" t WHERE ${isIn}`);
    if (Number(row?.n) > 0) found.push(name);
  }
  return found;
}
