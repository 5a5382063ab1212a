import { setPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { makeEnvironment } from '../../../.ci/python/environment.mjs';
import { findPython } from '../../../.ci/python/find-python.mjs';
import { askedChild } from '../../harness/asked-child.mjs';

const HERE = import.meta.dirname;
const ENVIRONMENT = join(HERE, '.venv');
const SCRIPT = join(HERE, 'peft_step.py');
const BACKGROUND = 10;
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
  const args = [SCRIPT, dirname(file), basename(file), String(threads)];
  const variables = { OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: 'passive', HF_HUB_OFFLINE: '1' };
  const { pid, ask, close } = askedChild(context, 'PyTorch', join(ENVIRONMENT, 'bin/python'), args, variables);
  // As the processes of Hone's jobs: what else runs on the machine slows both down alike.
  setPriority(pid, BACKGROUND);
  return { take: async (steps) => (await ask(steps)).ms, close };
}
