import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { newId } from '@hone/database';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

const PROJECT_ID = newId();
const USER_ID = newId();
const MIGRATIONS = join(import.meta.dirname, '../../../../prisma/migrations');

/** SQL of the migration that is named so after its time. */
const migration = (name: string): string => {
  const folder = readdirSync(MIGRATIONS).find((one) => one.endsWith(`_${name}`)) as string;
  return readFileSync(join(MIGRATIONS, folder, 'migration.sql'), 'utf8');
};

describe('the tables of calls', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(['calls', 'call_values'])('%s is partitioned by ranges of ids, which sort by their time', async (table) => {
    const partitions = await database.sql<{ name: string }>(
      'SELECT relid::regclass::text AS name FROM pg_partition_tree($1) WHERE isleaf ORDER BY 1',
      [table],
    );
    expect(partitions.map(({ name }) => name)).toEqual(
      [
        ...['2026_07', '2027_01', '2027_07', '2028_01', '2028_07', '2029_01', '2029_07', '2030_01', '2030_07'],
        ...['earlier', 'later', 'undated'],
      ].map((name) => `${table}_${name}`),
    );
    const partitionOf = async (id: string) => {
      const columns = table === 'calls' ? 'project_id, id, svc_user_id' : 'project_id, id, inputs_text';
      const [row] = await database.sql<{ name: string }>(
        `INSERT INTO ${table} (${columns}) VALUES ($1, $2, $3) RETURNING tableoid::regclass::text AS name`,
        [PROJECT_ID, id, USER_ID],
      );
      return row?.name;
    };
    const uuidAt = (time: string) => {
      const hex = Date.parse(time).toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
    };
    expect(await partitionOf(uuidAt('2026-06-30T23:59:59.999Z'))).toBe(`${table}_earlier`);
    expect(await partitionOf(uuidAt('2026-07-01T00:00:00.000Z'))).toBe(`${table}_2026_07`);
    expect(await partitionOf(uuidAt('2026-12-31T23:59:59.999Z'))).toBe(`${table}_2026_07`);
    expect(await partitionOf(uuidAt('2027-01-01T00:00:00.000Z'))).toBe(`${table}_2027_01`);
    expect(await partitionOf(uuidAt('2035-01-01T00:00:00.000Z'))).toBe(`${table}_later`);
    for (const id of ['c1', 'b7ad6b7169203331', '~', 'é']) expect(await partitionOf(id)).toBe(`${table}_undated`);
    for (const id of ['-', '00ad6b7169203331']) expect(await partitionOf(id)).toBe(`${table}_earlier`);
  });

  it('holds an id once per project, whatever its partition', async () => {
    const insert = () =>
      database.sql(`INSERT INTO calls (project_id, id, svc_user_id) VALUES ($1, 'x', $2)`, [PROJECT_ID, USER_ID]);
    await insert();
    await expect(insert()).rejects.toThrow(/unique/);
  });

  it('has keys and indexes that begin with the project, and no index beside those that lists use', async () => {
    const indexes = await database.sql<{ table: string; name: string; definition: string }>(
      `SELECT tablename AS table, indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE tablename IN ('calls', 'call_values', 'costs', 'project_settings', 'feedback', 'object_versions', 'object_heads',
         'blob_chunks', 'files', 'annotation_queue_items', 'annotation_progress', 'annotation_assignees',
         'annotation_audit', 'feedback_revisions', 'alias_moves') ORDER BY 2`,
    );
    // Refs name their projects themselves.
    const others = indexes.filter(({ definition }) => !/\(project_id/.test(definition)).map(({ name }) => name);
    expect(others).toEqual(['calls_input_refs_idx', 'calls_output_refs_idx']);
    expect(indexes.filter(({ table }) => table.startsWith('call')).map(({ name }) => name)).toEqual([
      'call_values_pkey',
      'calls_failed_idx',
      'calls_input_refs_idx',
      'calls_orphans_idx',
      'calls_output_refs_idx',
      'calls_parent_idx',
      'calls_pkey',
      'calls_shown_error_class_idx',
      'calls_shown_idx',
      'calls_shown_op_idx',
      'calls_shown_roots_idx',
      'calls_shown_thread_idx',
      'calls_shown_trace_idx',
      'calls_shown_user_idx',
      'calls_to_erase_idx',
      'calls_underived_idx',
    ]);
  });

  it('marks roots and failures of calls that were stored before they were kept', async () => {
    const insert = (id: string, parent: string | null, exception: string | null) =>
      database.sql(
        `INSERT INTO calls (project_id, id, svc_user_id, started_at, trace_id, parent_id, exception)
         VALUES ($1, $2, $1, now(), 'before', $3, $4)`,
        [PROJECT_ID, id, parent, exception],
      );
    await insert('r', null, null);
    await insert('r.c', 'r', null);
    await insert('r.c.x', 'r.c', 'no');
    await insert('r.d', 'r', null);
    await insert('orphan', 'elsewhere', null);
    for (const statement of migration('trace_trees').match(/^(UPDATE|WITH)[^;]*;/gm) ?? [])
      await database.sql(statement);
    expect(
      await database.sql(
        `SELECT id, is_orphan AS orphan, has_failed_descendant AS failed FROM calls WHERE trace_id = 'before' ORDER BY id`,
      ),
    ).toEqual([
      { id: 'orphan', orphan: true, failed: false },
      { id: 'r', orphan: false, failed: true },
      { id: 'r.c', orphan: false, failed: true },
      { id: 'r.c.x', orphan: false, failed: false },
      { id: 'r.d', orphan: false, failed: false },
    ]);
  });

  it('moves what the version before writes to where this one reads it', async () => {
    const write = (columns: string, values: string) =>
      database.sql(
        `INSERT INTO calls (project_id, id, svc_user_id, ${columns}) VALUES ($1, 'old', $2, ${values})
         ON CONFLICT (project_id, id) DO UPDATE SET ${columns
           .split(', ')
           .map((name) => `${name} = excluded.${name}`)
           .join(', ')}`,
        [PROJECT_ID, USER_ID],
      );
    const odd = `'{"a":"\\u0000"}'`;
    await write('ended_at, output_text, summary_text, summary_json', `now(), '1', '{"b":2}', '{"b":2}'`);
    await write('started_at, attributes_text, attributes_json, inputs_text', `now(), '{}', '{}', ${odd}`);
    await write('started_at, attributes_text, attributes_json, inputs_text', `now(), '{"n":1.0}', '{"n":1.0}', '{}'`);
    expect(
      await database.sql(
        `SELECT v.*, c.attributes_text AS left_behind FROM calls c JOIN call_values v USING (project_id, id) WHERE id = 'old'`,
      ),
    ).toMatchObject([
      {
        ...{ attributes_text: '{"n":1.0}', attributes_json: null, inputs_text: '{}', inputs_json: null },
        ...{ output_text: '1', summary_text: '{"b":2}', summary_json: null, left_behind: null },
      },
    ]);
    await write('started_at, attributes_text, attributes_json, inputs_text', `now(), '{}', '{}', ${odd}`);
    const [row] = await database.sql(`SELECT inputs_text, inputs_json FROM call_values WHERE id = 'old'`);
    expect(row).toEqual({ inputs_text: '{"a":"\\u0000"}', inputs_json: null });
  });
});
