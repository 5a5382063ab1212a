import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a Python environment, or brings it in step with the pinned versions, which name uv as well.
 *
 * @param {string} python that runs it
 * @param {string} folder of the environment; git-ignored
 * @param {string} requirements file of pinned versions
 * @throws Error a step failed
 */
export function makeEnvironment(python, folder, requirements) {
  const program = (name) => join(folder, 'bin', name);
  if (!existsSync(program('python'))) run(python, ['-m', 'venv', folder]);
  if (!existsSync(program('uv'))) {
    const uv = readFileSync(requirements, 'utf8').match(/^uv==.*$/m)[0];
    run(program('python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', uv]);
  }
  run(program('uv'), ['pip', 'sync', '--quiet', '--python', program('python'), requirements]);
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error ?? status !== 0) throw error ?? new Error(`${program} ${args.join(' ')}: exit code ${status}`);
}
