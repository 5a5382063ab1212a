/**
 * Fills a Hone with every kind of data, kills it amid open work, and writes what is left as a fixture of
 * `upgrade.e2e-spec.ts`: files of the data folder, rows of the database, and answers that must stay equal.
 *
 *     node apps/launcher/upgrade/make-fixture.mjs <built checkout> <name>
 *
 * Make one from each release, and extend `story.mjs` with the kinds of data that a release adds.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { EmbeddedPostgres } from '../../../libs/database/dist/embedded/embedded-postgres.js';
import { dumpDatabase } from '../../../libs/testing/dist/database/database-dump.js';
import { childrenOf, killService } from './child-processes.mjs';
import { answersOf, leaveWorkOpen, tellStory } from './story.mjs';

/** Not part of a fixture: Postgres' own files (its rows are), and what no later process reads. */
const LEFT_OUT = new Set(['postgres', 'logs', 'launcher.lock', 'launcher.tmpdir', 'tmp']);

const [checkout, name] = process.argv.slice(2);
if (!checkout || !/^[\w.-]+$/.test(name ?? '')) throw new Error('Usage: make-fixture.mjs <built checkout> <name>');
const target = join(import.meta.dirname, name);
const dataDir = await mkdtemp(join(tmpdir(), 'hone-upgrade-'));
const port = 18_000 + (process.pid % 1_000);

const launcher = spawn(process.execPath, [resolve(checkout, 'apps/launcher/dist/main.js')], {
  env: { ...process.env, HONE_DATA_DIR: dataDir, HONE_PORT: String(port) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await ready(launcher);
  const key = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim();
  const hone = { url: `http://127.0.0.1:${port}`, key };
  const story = await tellStory(hone);
  const answers = await answersOf(hone, story);
  // From here on nothing is started again, and nothing that is killed can tidy up.
  process.kill(launcher.pid, 'SIGSTOP');
  const open = await leaveWorkOpen(hone, story, (service) => killService(launcher.pid, service));
  const services = (await childrenOf(launcher.pid)).filter(({ command }) => !command.includes('postgres'));
  for (const { pid } of services) process.kill(pid, 'SIGKILL');
  launcher.kill('SIGKILL');
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'answers.json'), `${JSON.stringify({ ...open, answers }, null, 2)}\n`);
  await writeFile(join(target, 'database.json.gz'), gzipSync(JSON.stringify(await dump()), { level: 9 }));
  for (const entry of await readdir(dataDir)) {
    if (LEFT_OUT.has(entry)) continue;
    await cp(join(dataDir, entry), join(target, 'files', entry), {
      recursive: true,
      filter: (path) => !path.includes('/artifacts/tmp/'),
    });
  }
} finally {
  launcher.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}

async function ready(child) {
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  for (let waited = 0; !output.includes('Hone is ready on'); waited++) {
    if (waited > 600 || child.exitCode !== null) throw new Error(`Hone did not start:\n${output}`);
    await sleep(100);
  }
}

async function dump() {
  const postgres = await EmbeddedPostgres.start({ dir: join(dataDir, 'postgres') });
  try {
    return await dumpDatabase(postgres.url('hone'));
  } finally {
    await postgres.stop();
  }
}
