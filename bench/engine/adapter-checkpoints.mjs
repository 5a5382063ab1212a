import { join } from 'node:path';

import { writeCheckpoint } from '@hone/engine';

import { startLora } from '../../libs/engine/dist/job/lora-start.js';
import { PROJECTIONS, trainedLayout } from '../../libs/engine/dist/train/trained-parameters.js';
import { baseModel, tempFolder } from './base-model.mjs';

const LORA = { rank: 8, alpha: 16, targets: PROJECTIONS };

/**
 * Written checkpoints with adapters on all projections, each with other numbers.
 *
 * @param {object} [model] opened; default: the bundled one
 */
export async function adapterCheckpoints(context, count, model) {
  const { directory: base, config } = model ?? (await baseModel(context));
  const folder = await tempFolder(context, 'checkpoints');
  const layout = trainedLayout(config, { kind: 'lora', lora: LORA });
  const checkpoints = [];
  for (let index = 0; index < count; index++) {
    const tensors = layout.unflatten(startLora(layout, index));
    const adapter = { baseModel: 'hone-tiny', ...LORA, tensors };
    const directory = join(folder, String(index));
    const state = { step: index, optimizerSteps: 0, rng: null, config: null };
    await writeCheckpoint(directory, { trained: { kind: 'lora', adapter }, optimizer: null, state }, base);
    checkpoints.push({ id: `bench-${index}`, directory });
  }
  return checkpoints;
}
