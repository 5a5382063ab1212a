import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = '3.12';

/** Path of a Python 3.12; null: none is installed. */
export function findPython() {
  const named = process.env.HONE_PYTHON;
  return [...(named ? [named] : []), `python${VERSION}`, ...ofPyenv()].find(isRight) ?? null;
}

function ofPyenv() {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .filter((name) => name.startsWith(`${VERSION}.`))
    .map((name) => join(versions, name, 'bin/python3'));
}

/** pyenv has a command for each version, also for those that it does not run here. */
function isRight(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return stdout?.startsWith(`Python ${VERSION}.`) ?? false;
}

// Called by itself it says whether there is one.
if (process.argv[1] === import.meta.filename) process.exitCode = findPython() === null ? 1 : 0;
