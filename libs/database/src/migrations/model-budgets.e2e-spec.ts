import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { migrate } from './migrate.js';

const PRISMA = join(import.meta.dirname, '../../../../prisma');
const NAME = '20261128140000_model_budgets';
const [PROJECT, KEY, OTHER_KEY] = [1, 2, 3].map((n) => `01890000-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const TABLES = ['usage_records', 'usage_hours', 'usage_days', 'usage_months', 'usage_limits'];

describe('the migration to budgets of models', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'model-budgets-'));
    for (const name of await readdir(join(PRISMA, 'migrations'))) {
      if (name < NAME)
        await cp(join(PRISMA, 'migrations', name), join(folder, 'migrations', name), { recursive: true });
    }
    await database.sql('DROP SCHEMA public CASCADE');
    await database.sql('CREATE SCHEMA public');
    await migrate(database.url, folder);
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** @param day SQL */
  async function aRecord(key: string, model: string, cost: number, day: string): Promise<void> {
    await database.sql(
      `INSERT INTO usage_records (day, uid, started_at, rid, key_id, user_id, project_id, model_asked, model_answered, is_stream,
         status, attempts, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, price_prompt, price_cached,
         price_completion, cost_nano_usd, is_billed, duration_ms)
       VALUES (${day}, gen_random_uuid(), ${day}, 'r', $1, $1, $2, $3, 'upstream', false, 'ok', '[]', 1, 0, 1, 0, 1, 1, 1, $4, true, 1)`,
      [key, PROJECT, model, cost],
    );
  }
  const rows = async (table: string, without: string[] = []) =>
    (
      await database.sql<{ row: object }>(`SELECT to_jsonb(t) - $1::text[] AS row FROM ${table} t ORDER BY t::text`, [
        without,
      ])
    ).map(({ row }) => row);

  it('counts what this month has cost, and changes no row', async () => {
    const today = `(now() AT TIME ZONE 'UTC')::date`;
    const first = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;
    await database.sql(`CREATE TABLE usage_records_all PARTITION OF usage_records DEFAULT`);
    await aRecord(KEY, 'chat', 1, today);
    await aRecord(KEY, 'chat', 20, first);
    await aRecord(OTHER_KEY, 'chat', 300, today);
    await aRecord(KEY, 'big', 4_000, today);
    await aRecord(KEY, 'free', 0, today);
    await aRecord(KEY, 'chat', 50_000, `${first} - 1`);
    await database.sql(
      `INSERT INTO usage_hours (project_id, hour, model, key_id, requests, errors, aborted, prompt_tokens, cached_tokens,
         completion_tokens, reasoning_tokens, cost_nano_usd) VALUES ($1, now(), 'upstream', $2, 1, 0, 0, 1, 0, 1, 0, 1)`,
      [PROJECT, KEY],
    );
    await database.sql(`INSERT INTO usage_days VALUES ('key', $1, ${today}, 7)`, [KEY]);
    await database.sql(`INSERT INTO usage_months VALUES ('key', $1, ${first}, 8)`, [KEY]);
    await database.sql(
      `INSERT INTO usage_limits (scope, subject_id, daily_budget_nano_usd, budget_leases, further_leases)
       VALUES ('key', $1, 9, '{"a": [1, 2]}', '{"day": {"a": [1, 2]}}')`,
      [KEY],
    );
    const before = await Promise.all(TABLES.map((table) => rows(table)));

    expect(await migrate(database.url)).toContain(NAME);

    expect(await Promise.all(TABLES.map((table) => rows(table, ['route', 'model_budgets'])))).toEqual(before);
    const [limits] = await rows('usage_limits');
    expect(limits).toMatchObject({ model_budgets: [] });
    const [record] = await rows('usage_records');
    expect(record).toMatchObject({ route: null });
    const sums = await database.sql(
      `SELECT period, scope, subject_id AS id, model, sum(cost_nano_usd)::int AS cost FROM usage_models
       WHERE since = date_trunc(period, now() AT TIME ZONE 'UTC')::date OR since = ${first} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    );
    // The days of the month up to now, of which the first may be today.
    for (const period of ['day', 'month']) {
      expect(sums.filter((sum) => sum['period'] === period)).toEqual([
        { period, scope: 'key', id: KEY, model: 'big', cost: 4_000 },
        { period, scope: 'key', id: KEY, model: 'chat', cost: 21 },
        { period, scope: 'key', id: OTHER_KEY, model: 'chat', cost: 300 },
        { period, scope: 'project', id: PROJECT, model: 'big', cost: 4_000 },
        { period, scope: 'project', id: PROJECT, model: 'chat', cost: 321 },
      ]);
    }
    expect(await database.sql(`SELECT count(*)::int AS n FROM usage_models WHERE since < ${first}`)).toEqual([
      { n: 0 },
    ]);
  });

  it('leaves what the version before writes as it was', async () => {
    await migrate(database.url);
    await database.sql(`CREATE TABLE usage_records_all PARTITION OF usage_records DEFAULT`);
    await aRecord(KEY, 'chat', 1, 'now()');
    await database.sql(
      `INSERT INTO usage_limits (scope, subject_id, daily_budget_nano_usd) VALUES ('key', $1, 9)
       ON CONFLICT (scope, subject_id) DO UPDATE SET daily_budget_nano_usd = EXCLUDED.daily_budget_nano_usd`,
      [KEY],
    );
    expect(await rows('usage_records')).toMatchObject([{ route: null, cost_nano_usd: 1 }]);
    expect(await rows('usage_limits')).toMatchObject([{ model_budgets: [], daily_budget_nano_usd: 9 }]);
  });
});
