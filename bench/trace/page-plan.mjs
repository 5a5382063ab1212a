import { setTimeout as sleep } from 'node:timers/promises';

import { toRequest } from '../harness/http-connection.mjs';
import { World } from './world.mjs';

/** A connection of the service may run something else before the query is looked up: then the page is read again. */
const ATTEMPTS = 20;
const VALUE_COLUMN = /\bval_(text|blob)\b/;
/** Postgres publishes what a session read when it is idle, at most once a second. */
const STATISTICS_MS = 1_500;

/**
 * A page of metadata must not read values. Two proofs on the service's own query, with values of 50 KB: no node of
 * its plan puts out a value column, and the counters of the TOAST table, where such values live, do not move. A page
 * with values must move them, else the second proof would prove nothing.
 */
export async function checkMetadataPlan(context, client, connection, project) {
  const { progress, report } = context;
  progress.step('what a page of metadata reads');
  const { authorization } = await World.of(context);
  const read = async (metadataOnly) => {
    const body = { project_id: project.id, filter: { latest_only: true }, limit: 100, metadata_only: metadataOnly };
    const request = toRequest('/objs/query', authorization, body);
    const before = await toastBlocks(client);
    await connection.send(request);
    const blocks = (await toastBlocks(client)) - before;
    return { query: await pageQuery(client, () => connection.send(request)), blocks };
  };
  const metadata = await read(true);
  const values = await read(false);
  const columns = await planOutput(client, metadata.query);
  const isClean = metadata.blocks === 0 && values.blocks > 0 && !columns.some((column) => VALUE_COLUMN.test(column));
  report.add({
    measure: 'value blocks read for a page of metadata',
    value: metadata.blocks,
    unit: 'blocks',
    peer: values.blocks,
    peerName: 'with values',
    target: '0, no value column in the plan',
    isMet: isClean,
  });
}

async function toastBlocks(client) {
  await sleep(STATISTICS_MS);
  const { rows } = await client.query(
    `SELECT (toast_blks_read + toast_blks_hit)::int AS blocks FROM pg_statio_user_tables
     WHERE relname = 'object_versions'`,
  );
  return rows[0].blocks;
}

/** The text, with `$1` for values, of the query by which the service reads a page. @param read reads one */
async function pageQuery(client, read) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { rows: clock } = await client.query('SELECT clock_timestamp() AS now');
    await read();
    const { rows } = await client.query(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query_start >= $1
         AND query LIKE '%SELECT%object_heads%'
       ORDER BY query_start DESC LIMIT 1`,
      [clock[0].now],
    );
    if (rows.length) return rows[0].query;
  }
  throw new Error(`Postgres showed no query for a page in ${ATTEMPTS} attempts`);
}

/** Every column that any node of the query's plan hands on. */
async function planOutput(client, query) {
  const { rows } = await client.query(`EXPLAIN (VERBOSE, GENERIC_PLAN, FORMAT JSON) ${query}`);
  const columns = [];
  const visit = (node) => {
    columns.push(...(node.Output ?? []));
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(rows[0]['QUERY PLAN'][0].Plan);
  return columns;
}
