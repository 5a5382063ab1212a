import { join } from 'node:path';

import { REPOSITORY } from './lint-texts.fixture.js';

export const CHECK = join(REPOSITORY, '.ci/imports/check.mjs');

/** App -> layer, top first -> what it may import: layers, or `<layer>/*.ts` for the files directly in one. */
export type LayerTable = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The table that lint reads. */
export async function readLayers(): Promise<LayerTable> {
  const { LAYERS } = (await import(join(REPOSITORY, '.ci/imports/layers.mjs'))) as { LAYERS: LayerTable };
  return LAYERS;
}

/** Files directly in `src` are the top of every app. */
export const HEADS: Readonly<Record<string, string>> = {
  accounts: 'accounts.module.ts',
  console: 'main.tsx',
  evaluation: 'evaluation.module.ts',
  'inference-gateway': 'inference-gateway.module.ts',
  launcher: 'launcher.ts',
  proxy: 'main.ts',
  tour: 'main.ts',
  trace: 'trace.module.ts',
  trainer: 'trainer.module.ts',
  training: 'training.module.ts',
};
