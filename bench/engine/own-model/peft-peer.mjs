import { spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { makeEnvironment } from '../../../.ci/python/environment.mjs';
import { findPython } from '../../../.ci/python/find-python.mjs';
import { stopProcess } from '../../harness/service.mjs';

const HERE = import.meta.dirname;
const ENVIRONMENT = join(HERE, '.venv');
const SCRIPT = join(HERE, 'peft_step.py');
export const NO_PEFT = 'PyTorch and PEFT need Python 3.12, which is not here';

/**
 * PyTorch and PEFT on the same model, float32, in an environment of its own with pinned versions.
 *
 * @param {string} file GGUF of the model, which PyTorch reads by itself
 * @returns {Promise<{ take: (steps: number) => Promise<number[]>, close: () => unknown } | null>} milliseconds per step; null: no Python 3.12
 */
export async function openPeft(context, file, threads) {
  const python = findPython();
  if (python === null) return null;
  context.progress.detail('installing PyTorch and PEFT, once');
  makeEnvironment(python, ENVIRONMENT, join(HERE, 'requirements.txt'));
  const child = spawn(join(ENVIRONMENT, 'bin/python'), [SCRIPT, dirname(file), basename(file), String(threads)], {
    env: { ...process.env, OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: 'passive', HF_HUB_OFFLINE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const close = context.cleanup.add(() => stopProcess(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const take = async (steps) => {
    child.stdin.write(`${steps}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('PyTorch ended, see above');
    return JSON.parse(value).ms;
  };
  return { take, close };
}
