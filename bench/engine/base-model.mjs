import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openBaseModel } from '@hone/engine';

import { initialWeights } from '../../libs/engine/dist/hone-tiny/training/initial-weights.js';
import { writeSafetensors } from '../../libs/engine/dist/model/weights/safetensors-writer.js';
import { REPOSITORY } from '../harness/paths.mjs';

const HONE_TINY = fileURLToPath(new URL('models/hone-tiny', REPOSITORY));
const WEIGHTS = 'model.safetensors';

let opened;

/**
 * The bundled model; where its weights are not there, one of its shape with random weights, which is the same work.
 *
 * @returns its folder is `directory`
 */
export function baseModel(context) {
  opened ??= open(context);
  return opened;
}

async function open(context) {
  if (await exists(join(HONE_TINY, WEIGHTS))) return openBaseModel(HONE_TINY);
  context.progress.step('models/hone-tiny has no weights: random ones are used');
  const directory = await tempFolder(context, 'model');
  await cp(HONE_TINY, directory, { recursive: true });
  // A folder without weights is no model; its configuration is needed to make some.
  await writeSafetensors(join(directory, WEIGHTS), new Map());
  const { config } = await openBaseModel(directory);
  await writeSafetensors(join(directory, WEIGHTS), initialWeights(config, 1));
  return openBaseModel(directory);
}

/** A folder that is gone at the end of the run. */
export async function tempFolder({ cleanup }, name) {
  const folder = await mkdtemp(join(tmpdir(), `hone-bench-engine-${name}-`));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}
