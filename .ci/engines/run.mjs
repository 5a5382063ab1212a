/**
 * `npm run test:engines`: training on real SkyRL servers (JAX on this machine's CPU), serving on real vLLM
 * servers, and faults around both. Needs Python 3.12 and 20 GB of disk. `HONE_ENGINES_LONG=1` repeats the training on a
 * Ray cluster of two workers, too (6 GiB).
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../..');
const JEST = join(REPOSITORY, 'node_modules/jest/bin/jest.js');
const FLAGS = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'];

run('tools/engines/install.sh', ['all']);
const counts = [0, 0];
specs([]);
if (process.env.HONE_ENGINES_LONG) specs(['remote-engine'], { HONE_TEST_ENGINE: 'skyrl-ray' });
console.log(`\n${counts[0]} passed, ${counts[1]} failed`);

/** Adds up the counts with which the specs end. */
function specs(patterns, variables = {}) {
  const args = [...FLAGS, JEST, '--config', 'jest.engines.preset.mjs', ...patterns];
  const options = { cwd: REPOSITORY, env: { ...process.env, ...variables }, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout, error } = spawnSync(process.execPath, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw error;
  process.stdout.write(stdout);
  const found = [...stdout.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? ['', '0', '1'];
  counts[0] += Number(found[1]);
  counts[1] += Number(found[2]);
  if (status !== 0) process.exitCode = 1;
}

function run(program, args) {
  const { status, error } = spawnSync(join(REPOSITORY, program), args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(1);
}
