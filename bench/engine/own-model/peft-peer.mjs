import { setPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { makeEnvironment } from '../../../.ci/python/environment.mjs';
import { findPython } from '../../../.ci/python/find-python.mjs';
import { askedChild } from '../../harness/asked-child.mjs';

const HERE = import.meta.dirname;
const ENVIRONMENT = join(HERE, '.venv');
const BACKGROUND = 10;
export const NO_PEFT = 'PyTorch and PEFT need Python 3.12, which is not here';

/**
 * PyTorch and PEFT on the same model, float32, in an environment of its own with pinned versions.
 *
 * @param {string} file GGUF of the model, which PyTorch reads by itself
 * @returns {Promise<{ take: (steps: number) => Promise<number[]>, close: () => unknown } | null>} milliseconds per step; null: no Python 3.12
 */
export async function openPeft(context, file, threads) {
  const peer = openSteps(context, 'peft_step.py', file, threads);
  return peer && { take: async (steps) => (await peer.take(steps)).ms, close: peer.close };
}

/**
 * TRL's DPO on the same model, likewise; turns go on from where the last one ended.
 *
 * @param {{ prompt_ids: number[], chosen_ids: number[], rejected_ids: number[] }[]} pairs of each step
 * @returns {Promise<{ take: (steps: number) => Promise<{ ms: number[], losses: number[] }>, close: () => unknown } | null>}
 */
export async function openTrl(context, file, threads, pairs) {
  const peer = openSteps(context, 'trl_step.py', file, threads);
  await peer?.take(pairs);
  return peer;
}

function openSteps(context, script, file, threads) {
  const child = askedPython(context, script, file, String(threads));
  if (child === null) return null;
  // As the processes of Hone's jobs: what else runs on the machine slows both down alike.
  setPriority(child.pid, BACKGROUND);
  return { take: child.ask, close: child.close };
}

/** @returns {Promise<number[] | null>} log-probability of each token after the first, with an adapter merged in; null: no Python 3.12 */
export async function mergedByPeft(context, file, adapter, ids) {
  const child = askedPython(context, 'peft_merged.py', file, adapter);
  const scores = await child?.ask(ids);
  await child?.close();
  return scores ?? null;
}

function askedPython(context, script, file, ...args) {
  const python = findPython();
  if (python === null) return null;
  context.progress.detail('installing PyTorch and PEFT, once');
  makeEnvironment(python, ENVIRONMENT, join(HERE, 'requirements.txt'));
  const variables = { OMP_NUM_THREADS: '2', OMP_WAIT_POLICY: 'passive', HF_HUB_OFFLINE: '1', TQDM_DISABLE: '1' };
  const program = join(ENVIRONMENT, 'bin/python');
  return askedChild(
    context,
    'PyTorch',
    program,
    [join(HERE, script), dirname(file), basename(file), ...args],
    variables,
  );
}
