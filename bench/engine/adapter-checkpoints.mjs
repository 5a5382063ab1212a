import { join } from 'node:path';

import { writeCheckpoint } from '@hone/engine';

import { startLora } from '../../libs/engine/dist/job/lora-start.js';
import { PROJECTIONS, trainedLayout } from '../../libs/engine/dist/train/trained-parameters.js';
import { baseModel, tempFolder } from './base-model.mjs';
import { numbers } from './numbers.mjs';

/** For measures that do not look at what is answered. */
const WEAK = 0.02;
const LORA = { rank: 8, alpha: 16, targets: PROJECTIONS };

/**
 * Written checkpoints with adapters on all projections, each with other numbers.
 *
 * @param {object} [model] opened; default: the bundled one
 * @param {readonly string[]} [targets] projections; default: all
 * @param {number} [strength] largest value of their second matrices
 */
export async function adapterCheckpoints(context, count, model, targets = PROJECTIONS, strength = WEAK) {
  const { directory: base, config } = model ?? (await baseModel(context));
  const folder = await tempFolder(context, 'checkpoints');
  const lora = { ...LORA, targets };
  const layout = trainedLayout(config, { kind: 'lora', lora });
  const next = numbers(5);
  const checkpoints = [];
  for (let index = 0; index < count; index++) {
    // A new adapter changes nothing: its B is zero.
    const tensors = layout.unflatten(
      startLora(layout, index, lora).map((number) => number || strength * (((next() % 200) - 100) / 100)),
    );
    const adapter = { baseModel: 'hone-tiny', ...lora, tensors };
    const directory = join(folder, String(index));
    const state = { step: index, optimizerSteps: 0, rng: null, config: null };
    await writeCheckpoint(directory, { trained: { kind: 'lora', adapter }, optimizer: null, state }, base);
    checkpoints.push({ id: `bench-${index}`, directory });
  }
  return checkpoints;
}
