import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { migrate, PRISMA_DIR } from './migrate.js';

const NAME = '20261201120000_exact_waiting_scores';
const PROJECT = '01a20669-e725-7004-a515-0ff17f0b24aa';

describe('the migration to waiting scores as texts', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'exact-waiting-scores-'));
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

  it('keeps those that wait, but for those whose ids no call can have', async () => {
    const score = { name: 'helpful', value: 0.9 };
    for (const [id, trace] of [
      ['a', 'ab'.repeat(16)],
      ['b', Array.from({ length: 9_000 }, (_, n) => n.toString(36)).join('')],
    ])
      await database.sql(
        'INSERT INTO waiting_scores (project_id, id, trace_id, score, svc_user_id) VALUES ($1, $2, $3, $4, $1)',
        [PROJECT, id, trace, JSON.stringify(score)],
      );
    await migrate(database.url, PRISMA_DIR);
    const rows = await database.sql<{ id: string; score: string }>('SELECT id, score FROM waiting_scores');
    expect(rows.map((row) => [row.id, JSON.parse(row.score)])).toEqual([['a', score]]);
  });
});
