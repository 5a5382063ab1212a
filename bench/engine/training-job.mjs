import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { EmbeddedTrainingEngine, resolveRlConfig, toPlanLine } from '@hone/engine';

import { PROJECTIONS } from '../../libs/engine/dist/train/trained-parameters.js';
import { commandsOfTree, HAS_PROC, peakResidentMiB } from '../harness/processes.mjs';
import { baseModel, tempFolder } from './base-model.mjs';
import { trainRow } from './train-row.mjs';

const OPTIMISER = {
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weight_decay: 0.1,
  max_grad_norm: 0.1,
  learning_rate_factor: 1,
};
const CHILD = 'node libs/engine';

/**
 * A job in a child process, by default reinforcement learning of the bundled model with rows of 16 x 128 tokens.
 *
 * @param {{ base?: object, rows?: (vocabSize: number) => object[], weights?: string, learningRate?: number,
 *   memoryBytes?: number | null, preference?: object }} [choice] `preference`: settings of a job that learns from preferences
 * @returns `run()` resolves with the folder of its checkpoint; every run is the same job
 */
export async function trainingJob(
  context,
  steps,
  { base, rows = trainRow, weights, learningRate = 1e-4, memoryBytes = null, preference } = {},
) {
  const { directory, config } = base ?? (await baseModel(context));
  const folder = await tempFolder(context, 'job');
  // As in later epochs: the reference scores the row before its first step alone.
  const repetition = preference ? { repeats: 0 } : {};
  const plan = await writePlan(folder, rows(config.vocabSize), { steps, learningRate, repetition });
  const engine = new EmbeddedTrainingEngine({
    sources: { bundledDir: dirname(directory) },
    threads: 2,
    weights,
    memoryBytes,
  });
  const stop = new AbortController();
  context.cleanup.add(() => stop.abort());
  const run = async (onStep = () => undefined, cancel = stop.signal) => {
    const output = join(folder, randomUUID());
    await mkdir(output);
    const spec = { ...specOf(basename(directory), plan, steps, output), ...(preference && preferenceSpec(preference)) };
    const sink = {
      step: async (k, metrics) => onStep(k, metrics),
      resumePoint: async () => undefined,
      log: () => undefined,
    };
    await engine.run(spec, { cancel }, sink);
    return join(output, 'checkpoint');
  };
  return { run };
}

function specOf(baseModelId, plan, steps, output) {
  return {
    spec_version: 1,
    job_id: randomUUID(),
    attempt: 1,
    kind: 'rl',
    seed: 3407,
    base_model: baseModelId,
    parent: null,
    reference: null,
    plan: { ...plan, num_sequences: steps },
    loss: resolveRlConfig({}),
    optimiser: OPTIMISER,
    lora: { r: 8, alpha: 16, target_modules: PROJECTIONS },
    lora_asked: null,
    checkpoint_every: null,
    validation: null,
    resume: null,
    output_prefix: pathToFileURL(output).href,
    resume_every: { steps: 1_000, seconds: 1_000 },
  };
}

const preferenceSpec = (preference) => ({
  ...{ kind: 'preference', loss: null, preference },
  optimiser: { ...OPTIMISER, weight_decay: 0, max_grad_norm: 1 },
});

async function writePlan(folder, row, { steps, learningRate, repetition }) {
  const sequences = row.map(toPlanned);
  const rows = Array.from({ length: steps }, (_, index) => {
    const planned = { row: index, numTrajectories: sequences.length, learningRate, staleness: null, sequences };
    return index === 0 ? planned : { ...planned, ...repetition };
  });
  const text = rows.map((row) => `${toPlanLine(row)}\n`).join('');
  const file = join(folder, 'plan.jsonl');
  await writeFile(file, text);
  return { uri: pathToFileURL(file).href, sha256: createHash('sha256').update(text).digest('hex') };
}

/** A sequence of a row in the form of plans. */
function toPlanned({ ids, trained, advantage, role }) {
  const isTrained = new Set(trained);
  const mask = ids.map((_, at) => (isTrained.has(at) ? 1 : 0));
  if (role) return { ids, mask, old: null, adv: null, weight: 1, role };
  return { ids, mask, old: mask.map((bit) => (bit ? -6 : NaN)), adv: advantage[0], weight: 1 };
}

/** The most that the child of a running job has ever held. */
export function peakOfTrainingChild() {
  if (!HAS_PROC) return null;
  const children = commandsOfTree(process.pid).filter(({ pid, command }) => pid !== process.pid && command === CHILD);
  return Math.max(0, ...children.map(({ pid }) => peakResidentMiB(pid)));
}
