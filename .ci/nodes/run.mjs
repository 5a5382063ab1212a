/**
 * `npm run test:nodes`: Hone as a user runs it, on each supported release of Node.js: start, every kind of data, a job
 * by examples and one by rewards, a chat with what they trained, the package of contracts, `kill -9`, stop. Against the
 * first of them its client, in every other runtime that the client's README names; against the second, clients that need it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { killService } from '../../apps/launcher/upgrade/child-processes.mjs';
import { answersOf, clientOf, tellStory } from '../../apps/launcher/upgrade/story.mjs';
import { RunningHone, until } from '../running-hone.mjs';
import { upstreamsFile } from './upstreams.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');
const RELEASES = ['node20', 'node22', 'node24', 'node26'];
const MODULES = join(import.meta.dirname, 'node_modules');
const CLIENT_STORY = join(import.meta.dirname, 'client-story.mjs');
/** Runtimes of the client -> how they run a program that uses the network. */
const CLIENT_RUNTIMES = {
  'Node.js': [process.execPath],
  Deno: [join(MODULES, 'deno/deno'), 'run', '--no-prompt', '--allow-net=127.0.0.1'],
  Bun: [join(MODULES, 'bun/bin/bun')],
};
/** Clients that need more than the first release. */
const AI_SDK = join(import.meta.dirname, 'ai-sdk.mjs');
const DOORS = join(import.meta.dirname, 'doors.mjs');
const CODING_AGENTS = join(import.meta.dirname, 'coding-agents.mjs');
/** Of the upstreams that these clients start. */
const UPSTREAMS_PORT = 30_000 + Math.floor(Math.random() * 2_000);
/** The package as its users import it: a body with one wrong field. */
const CONTRACTS = `
  import { check, FeedbackCreateDto } from '@hone/contracts';
  const { issues } = check(FeedbackCreateDto, { project_id: 'a/b', trace_ref: 'hone:///a/b/call/c', feedback_type: 't', payload: 1 });
  console.log(issues.map(({ loc }) => loc.join('.')).join());`;

const counts = { passed: 0, failed: 0 };
const folder = mkdtempSync(join(tmpdir(), 'hone-nodes-'));
const upstreams = join(folder, 'upstreams.json');
writeFileSync(upstreams, upstreamsFile(UPSTREAMS_PORT));
for (const release of RELEASES) await testOn(release);
rmSync(folder, { recursive: true });
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;

async function testOn(release) {
  const node = join(import.meta.dirname, 'node_modules', release, 'bin/node');
  if (!existsSync(node)) throw new Error('The releases are not installed: npm ci --prefix .ci/nodes');
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  let hone;
  let before;
  const isStarted = await step(`${version} starts`, async () => {
    hone = await RunningHone.start(node, release === RELEASES[1] ? { HONE_UPSTREAMS: upstreams } : {});
  });
  if (isStarted) {
    await step(`${version} traces, trains by examples and by rewards, and serves both`, async () => {
      before = await answersOf(hone, await tellStory(hone));
      const wrong = before.find(({ status }) => status !== 200);
      if (wrong) throw new Error(`${wrong.method} ${wrong.path}: ${wrong.status} ${wrong.text}`);
    });
    if (release === RELEASES[0]) {
      for (const [runtime, command] of Object.entries(CLIENT_RUNTIMES)) {
        await step(`@hone/client works in ${runtime}`, () => {
          const [program, ...args] = [...command, CLIENT_STORY, hone.url, hone.key];
          const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000 });
          if (stdout !== 'json\nlines\nstream\nevents\nerror\n') throw new Error(stdout + stderr);
        });
      }
    }
    if (release === RELEASES[1]) {
      await client(`spans of version 7 of the AI SDK are whole calls on ${version}`, AI_SDK, 'calls\n');
      await client(`clients that ask for responses and messages get them on ${version}`, DOORS, 'answers\n');
      await client(`Codex CLI and Claude Code do a task each on ${version}`, CODING_AGENTS, 'tasks\n');
    }
    await step(`${version} loses nothing at a kill -9 of the trace service`, async () => {
      await killService(hone.launcher.pid, 'trace');
      const { method, path, body, text } = before[0];
      const { ask } = clientOf(hone);
      const after = await until(async () => {
        const answer = await ask(method, path, body).catch(() => null); // the service starts again
        return answer?.status === 200 && answer.text;
      });
      if (after !== text) throw new Error(`It was ${text}, and is ${after}.`);
    });
    await step(`${version} stops when it is asked to`, async () => {
      const code = await hone.stop();
      if (code !== 0) throw new Error(`It ended with ${code}.`);
    });
    await hone.remove();
  }
  await step(`${version} loads @hone/contracts`, async () => {
    const { stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', CONTRACTS], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    if (stdout.trim() !== 'payload') throw new Error(stdout + stderr);
  });

  /** @param said what the program prints if all is well */
  function client(title, program, said) {
    return step(title, () => {
      const options = { encoding: 'utf8', timeout: 120_000 };
      const { stdout, stderr } = spawnSync(node, [program, hone.url, hone.key, String(UPSTREAMS_PORT)], options);
      if (stdout !== said) throw new Error(stdout + stderr);
    });
  }

  async function step(title, work) {
    try {
      await work();
      counts.passed++;
      console.log(`ok      ${title}`);
      return true;
    } catch (error) {
      counts.failed++;
      console.log(`FAILED  ${title}\n${error.stack}\n${hone?.output ?? ''}`);
      return false;
    }
  }
}
