/**
 * `npm run test:nodes`: Hone as a user runs it, on each supported release of Node.js: start, every kind of data, a job
 * by examples and one by rewards, a chat with what they trained, the package of contracts, `kill -9`, stop.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { killService } from '../../apps/launcher/upgrade/child-processes.mjs';
import { answersOf, tellStory } from '../../apps/launcher/upgrade/story.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');
const RELEASES = ['node20', 'node22', 'node24', 'node26'];
const START_MS = 120_000;
/** The package as its users import it: a body with one wrong field. */
const CONTRACTS = `
  import { check, FeedbackCreateDto } from '@hone/contracts';
  const { issues } = check(FeedbackCreateDto, { project_id: 'a/b', trace_ref: 'hone:///a/b/call/c', feedback_type: 't', payload: 1 });
  console.log(issues.map(({ loc }) => loc.join('.')).join());`;

const counts = { passed: 0, failed: 0 };
for (const release of RELEASES) await testOn(release);
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;

async function testOn(release) {
  const node = join(import.meta.dirname, 'node_modules', release, 'bin/node');
  if (!existsSync(node)) throw new Error('The releases are not installed: npm ci --prefix .ci/nodes');
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const dataDir = await mkdtemp(join(tmpdir(), `hone-${release}-`));
  const port = 20_000 + (process.pid % 5_000);
  const launcher = spawn(node, ['apps/launcher/start.mjs'], {
    cwd: REPOSITORY,
    env: { ...process.env, HONE_DATA_DIR: dataDir, HONE_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exited = new Promise((resolve) => launcher.once('close', resolve));
  const hone = { url: `http://127.0.0.1:${port}`, key: '' };
  let before;

  const isStarted = await step(`${version} starts`, async () => {
    await until(() => output.includes('Hone is ready on'), START_MS);
    hone.key = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim();
  });
  if (isStarted) {
    await step(`${version} traces, trains by examples and by rewards, and serves both`, async () => {
      before = await answersOf(hone, await tellStory(hone));
      const wrong = before.find(({ status }) => status !== 200);
      if (wrong) throw new Error(`${wrong.method} ${wrong.path}: ${wrong.status} ${wrong.text}`);
    });
    await step(`${version} loses nothing at a kill -9 of the trace service`, async () => {
      await killService(launcher.pid, 'trace');
      const { method, path, body, text } = before[0];
      const after = await until(() => ask(hone, method, path, body), START_MS);
      if (after !== text) throw new Error(`It was ${text}, and is ${after}.`);
    });
    await step(`${version} stops when it is asked to`, async () => {
      launcher.kill('SIGTERM');
      const code = await exited;
      if (code !== 0) throw new Error(`It ended with ${code}.`);
    });
  }
  await step(`${version} loads @hone/contracts`, async () => {
    const { stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', CONTRACTS], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    if (stdout.trim() !== 'payload') throw new Error(stdout + stderr);
  });
  launcher.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });

  async function step(title, work) {
    try {
      await work();
      counts.passed++;
      console.log(`ok      ${title}`);
      return true;
    } catch (error) {
      counts.failed++;
      console.log(`FAILED  ${title}\n${error.stack}\n${output}`);
      return false;
    }
  }
}

/** The text of a 200; null: none yet. */
async function ask({ url, key }, method, path, body) {
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) }).catch(() => null);
  return response?.ok ? response.text() : null;
}

async function until(find, limitMs) {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs; await sleep(100)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`Not within ${limitMs / 1_000} s.`);
}
