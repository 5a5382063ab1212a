import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EmbeddedPostgres, migrate } from '@hone/database';

/** Name of the migrated database that every test file copies. */
const TEMPLATE = 'hone_template';

/** One real Postgres for the whole run, in a temporary folder, with a migrated template database. */
export default async function setUp(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'hone-test-'));
  const postgres = await EmbeddedPostgres.start({
    dir,
    // A test server may lose its data in a power cut; it must take many connections.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      shared_buffers: '128MB',
    },
  });
  // Ctrl-C ends Jest without the teardown: the server exits with this process, but its folder must be removed here.
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  process.env['TMPDIR'] = join(dir, 'tmp'); // what tests put into the temporary folder goes with it
  await mkdir(process.env['TMPDIR']);
  await postgres.createDatabase(TEMPLATE);
  await migrate(postgres.url(TEMPLATE));
  // What the engine says of itself at its start does not reach the process from within a test's realm.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  process.env['HONE_TEST_POSTGRES_URL'] = postgres.url('postgres');
  (globalThis as Record<string, unknown>)['__honeTearDown'] = async () => {
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
