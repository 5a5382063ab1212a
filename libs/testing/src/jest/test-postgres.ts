import { existsSync, rmSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EmbeddedPostgres, migrate } from '@hone/database';

/** Name of the migrated database that each test database is copied from. */
const TEMPLATE = 'hone_template';

/** Where Linux has a file system in memory. */
const MEMORY_FOLDER = '/dev/shm';
/** Bytes that must be free there and in memory: several times what the databases of a whole run take at once. */
const MEMORY_BYTES = 4 * 2 ** 30;

/**
 * Starts one real Postgres for the whole run, with a migrated template database, and gives the run a temporary folder of
 * its own. Both reach the tests through the environment: `HONE_TEST_POSTGRES_URL` and `TMPDIR`.
 *
 * @returns stops the server and deletes both folders
 */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(databaseFolder(), 'hone-test-'));
  const temporary = await mkdtemp(join(tmpdir(), 'hone-test-'));
  const folders = [dir, temporary];
  // Ctrl-C ends the run without the teardown: the server exits with this process, but its folder must be removed here.
  process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
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
  process.env['TMPDIR'] = temporary;
  await postgres.createDatabase(TEMPLATE);
  await migrate(postgres.url(TEMPLATE));
  process.env['HONE_TEST_POSTGRES_URL'] = postgres.url('postgres');
  return async () => {
    await postgres.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
}

/**
 * Every test database is nine hundred files: on a disk, making and dropping them takes as long as the tests themselves,
 * in memory a quarter of it. Programs cannot be run from there everywhere, so tests keep their own files on disk.
 */
function databaseFolder(): string {
  if (!existsSync(MEMORY_FOLDER)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return Math.min(bavail * bsize, process.availableMemory()) >= MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
}
