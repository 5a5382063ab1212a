import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writeSafetensors } from '../../libs/engine/dist/model/weights/safetensors-writer.js';
import { planMicroBatches } from '../../libs/engine/dist/train/micro-batches.js';
import { askedChild } from '../harness/asked-child.mjs';
import { tempFolder } from './base-model.mjs';

const SCRIPT = fileURLToPath(new URL('torch_step.py', import.meta.url));
/** The second is Debian's own where another one comes first. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const ABSENCE = 'no PyTorch here; Debian: apt-get install python3-torch libopenblas0-pthread';

/**
 * PyTorch with the step that `train-step.mjs` opened.
 *
 * @returns {Promise<{ take?: (steps: number) => Promise<{ ms: number[], losses: number[] }>, close?: () => unknown, absence?: string }>}
 */
export async function openTorch(context, step) {
  const python = PYTHONS.find((path) => spawnSync(path, ['-c', 'import torch']).status === 0);
  if (!python) return { absence: ABSENCE };
  const folder = await tempFolder(context, 'torch');
  await writeSafetensors(join(folder, 'adapter.safetensors'), step.adapter);
  await writeFile(join(folder, 'step.json'), JSON.stringify(describeStep(step)));
  const variables = threadSettings(String(step.threads));
  const { ask, close } = askedChild(context, 'PyTorch', python, [SCRIPT, step.directory, folder], variables);
  return { take: ask, close };
}

/** Threads that wait by spinning, as they do by default, take seconds for a step when anything else runs. */
const threadSettings = (threads) => ({
  OMP_NUM_THREADS: threads,
  OPENBLAS_NUM_THREADS: threads,
  OMP_WAIT_POLICY: 'passive',
});

/** The row as flat arrays in the order of the one pass that it makes, so that sums run over equal terms. */
function describeStep({ row, settings, learningRate, threads }) {
  const [{ members, length }] = planMicroBatches(row, settings.config);
  const sequences = members.map((index) => row[index]);
  const perToken = (valueOf) => sequences.flatMap(({ trained }, at) => trained.map((_, token) => valueOf(at, token)));
  return {
    learningRate,
    threads,
    optimiser: settings.optimiser,
    loss: settings.loss,
    scale: settings.part.lora.alpha / settings.part.lora.rank,
    batch: {
      ids: sequences.map(({ ids }) => ids),
      wanted: perToken((at, token) => at * length + sequences[at].trained[token] - 1),
      targets: perToken((at, token) => sequences[at].ids[sequences[at].trained[token]]),
      weight: perToken((at, token) => sequences[at].weight[token]),
      advantage: perToken((at, token) => sequences[at].advantage[token]),
      old: perToken((at, token) => sequences[at].old[token]),
    },
  };
}
