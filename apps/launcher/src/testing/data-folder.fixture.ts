import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { EmbeddedPostgres } from '@hone/database/embedded';
import { type DatabaseDump, restoreDatabase } from '@hone/testing';

/** Made by `make-fixture.mjs` beside them, one of each release. */
const FIXTURES = join(import.meta.dirname, '../../upgrade');
const DATABASE = 'hone';

/** Dates of the releases that have one, the oldest first. */
export const upgradeFixtures = (): string[] =>
  readdirSync(FIXTURES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** A request of `story.mjs` and its answer by the release that the fixture is of. */
export interface RecordedAnswer {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly text: string;
}

export interface Recorded {
  readonly answers: readonly RecordedAnswer[];
  /** Ids of training jobs: one was running, one queued. */
  readonly openJobs: readonly string[];
  /** One answer to this project is in a gateway's journal, and not in the database. */
  readonly journalledProject: string;
  /** Calls that go with it; absent: the release kept none. */
  readonly journalledCalls?: number;
  /** Id of a scoring that was half done; absent: the release had none. */
  readonly openScoring?: string;
  /** Cookie of a browser that is signed in; absent: the release had no sessions. */
  readonly session?: string;
}

export const readRecorded = (name: string): Recorded =>
  JSON.parse(readFileSync(join(FIXTURES, name, 'answers.json'), 'utf8')) as Recorded;

/** Restores the data folder as the release left it when it was killed, a minute ago. @returns its path */
export async function restoreDataFolder(name: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hone-upgraded-'));
  await cp(join(FIXTURES, name, 'files'), dataDir, { recursive: true });
  await ageJournals(join(dataDir, 'gateway', 'journal'));
  const postgres = await EmbeddedPostgres.start({ dir: join(dataDir, 'postgres') });
  try {
    await postgres.createDatabase(DATABASE);
    await restoreDatabase(postgres.url(DATABASE), readDump(name));
  } finally {
    await postgres.stop();
  }
  return dataDir;
}

const readDump = (name: string): DatabaseDump =>
  JSON.parse(gunzipSync(readFileSync(join(FIXTURES, name, 'database.json.gz'))).toString()) as DatabaseDump;

/** A journal of another machine's process counts as left after a minute without a heartbeat. */
async function ageJournals(folder: string): Promise<void> {
  const aMinuteAgo = new Date(Date.now() - 61_000);
  for (const journal of await readdir(folder)) await utimes(join(folder, journal), aMinuteAgo, aMinuteAgo);
}
