/**
 * `npm run test:engines`: training on real SkyRL servers (JAX on this machine's CPU), serving on real vLLM
 * servers, and faults around both. Needs Python 3.12 and 20 GB of disk.
 *
 * HONE_ENGINES_LONG=1    compares more of what engines learn, kills every part, and repeats the training and its faults
 *                        on a Ray cluster of two workers (6 GiB)
 * HONE_ENGINES_KILLS=10  kills so many times instead of once
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../..');
const JEST = join(REPOSITORY, 'node_modules/jest/bin/jest.js');

const counts = [0, 0];
const times = [];
await timed('install', () => run('tools/engines/install.sh', ['all']));
await timed('vLLM, SkyRL', () => specs([]));
if (process.env.HONE_ENGINES_LONG) {
  await timed('SkyRL on Ray', () => specs(['remote-'], { HONE_TEST_ENGINE: 'skyrl-ray' }));
}
const total = times.reduce((sum, [, seconds]) => sum + seconds, 0);
console.log(`\n${times.map(([name, seconds]) => `${name} ${minutes(seconds)}`).join(', ')}; ${minutes(total)} in all`);
console.log(`${counts[0]} passed, ${counts[1]} failed`);

/** Adds up the counts with which the specs end. */
async function specs(patterns, variables = {}) {
  const args = [JEST, '--config', 'tools/jest/engines.mjs', ...patterns];
  const options = { cwd: REPOSITORY, env: { ...process.env, ...variables }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = spawn(process.execPath, args, options);
  // What the specs have started ends with them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      child.kill(signal);
      process.exit(1);
    });
  }
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    output += text;
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const found = [...output.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1) ?? ['', '0', '1'];
  counts[0] += Number(found[1]);
  counts[1] += Number(found[2]);
  if (code !== 0) process.exitCode = 1;
}

async function timed(name, work) {
  const start = performance.now();
  await work();
  times.push([name, (performance.now() - start) / 1_000]);
}

function minutes(seconds) {
  return `${(seconds / 60).toFixed(1)} min`;
}

function run(program, args) {
  const { status, error } = spawnSync(join(REPOSITORY, program), args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(1);
}
