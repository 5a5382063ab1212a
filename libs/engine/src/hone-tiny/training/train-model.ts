import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readLlamaConfig } from '../../model/config/read-config.js';
import { writeDurably } from '../../model/weights/durable-file.js';
import { encodeSafetensors } from '../../model/weights/safetensors-writer.js';
import { trainedLayout, type TrainedPart } from '../../train/trained-parameters.js';
import { freshState, Trainer, type TrainState } from '../../train/trainer.js';
import { type ChatEncoder, createChatEncoder } from '../chat-encoder.js';
import { trainingExamples } from '../corpus.js';
import type { Example } from '../example.js';
import { FAMILIES, SHARES } from '../families/families.js';
import { writeModelFolder } from '../model-folder.js';
import type { TokenizerJson } from '../train-tokenizer.js';
import { greedyAccuracy } from './accuracy.js';
import { initialWeights } from './initial-weights.js';
import { toTrainRow } from './train-row.js';
import { findRun, forgetRun, saveRun } from './training-state.js';

/** What decides the weights, on one machine with one thread count to the last bit. */
interface Recipe {
  readonly seed: number;
  readonly steps: number;
  readonly examplesPerStep: number;
  readonly peakLearningRate: number;
  readonly warmUpSteps: number;
}

export const RECIPE: Recipe = { seed: 1, steps: 5000, examplesPerStep: 64, peakLearningRate: 3e-3, warmUpSteps: 100 };

const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.01, maxGradientNorm: 1 };
const PART: TrainedPart = { kind: 'full' };
const SAVE_EVERY = 250;
const HELD_OUT_SEED = 2;

/** Reported after each step. */
export type Progress = (step: number, loss: number) => void;

/** Share of exact answers by family. */
type Accuracies = ReadonlyMap<string, number>;

/**
 * Trains the bundled model from scratch and writes its folder. Killed and started again it goes on from
 * the last saved step and ends with the same weights.
 *
 * @param folder receives every file of the model but its card
 * @param stateFile keeps the run between starts; gone when the model is written
 */
export async function trainModel(
  folder: string,
  stateFile: string,
  recipe: Recipe,
  threads: number,
  progress: Progress,
): Promise<Accuracies> {
  await writeModelFolder(folder);
  const config = await readLlamaConfig(folder);
  const tokenizer = JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8')) as TokenizerJson;
  const encoder = createChatEncoder(tokenizer);
  const layout = trainedLayout(config, PART);
  const key = JSON.stringify({ recipe, shares: SHARES, size: layout.size });
  const saved = await findRun(stateFile, key);
  const state = saved?.state ?? freshState(layout.flatten(initialWeights(config, recipe.seed)));
  const settings = { config, part: PART, loss: { kind: 'sft' }, optimiser: OPTIMISER } as const;
  const trainer = new Trainer(settings, new Map(), state, threads);
  const save = (step: number, current: TrainState) => saveRun(stateFile, { recipe: key, step, state: current });
  await runSteps(trainer, encoder, recipe, saved?.step ?? 0, progress, save);
  const accuracies = await measure(trainer, encoder, 200);
  const weights = [...layout.unflatten(trainer.current.parameters)].map(([name, { shape, data }]) => ({
    name,
    dtype: 'F32' as const,
    shape,
    bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  }));
  await writeDurably(join(folder, 'model.safetensors'), encodeSafetensors(weights, { format: 'pt' }));
  await trainer.release();
  await forgetRun(stateFile);
  return accuracies;
}

async function runSteps(
  trainer: Trainer,
  encoder: ChatEncoder,
  recipe: Recipe,
  start: number,
  progress: Progress,
  save: (step: number, state: TrainState) => Promise<void>,
): Promise<void> {
  const examples = trainingExamples(recipe.seed);
  const take = () => Array.from({ length: recipe.examplesPerStep }, () => examples.next().value as Example);
  for (let step = 0; step < start; step += 1) take();
  const schedule = { steps: recipe.steps, peak: recipe.peakLearningRate, warmUp: recipe.warmUpSteps };
  for (let step = start; step < recipe.steps; step += 1) {
    const { loss } = await trainer.step(toTrainRow(take(), encoder), learningRateAt(step, schedule));
    progress(step + 1, loss);
    if ((step + 1) % SAVE_EVERY === 0) await save(step + 1, trainer.current);
  }
}

async function measure(trainer: Trainer, encoder: ChatEncoder, count: number): Promise<Accuracies> {
  const accuracies = new Map<string, number>();
  for (const family of FAMILIES) {
    accuracies.set(family.name, await greedyAccuracy(trainer, encoder, family, HELD_OUT_SEED, count));
  }
  return accuracies;
}

/** A rise over the first `warmUp` steps, then half a cosine down to a twentieth of the peak. */
function learningRateAt(step: number, { steps, peak, warmUp }: { steps: number; peak: number; warmUp: number }) {
  const rise = Math.min(1, (step + 1) / warmUp);
  const fall = 0.5 * (1 + Math.cos((Math.PI * step) / steps));
  return peak * rise * (0.05 + 0.95 * fall);
}
