import { resolve } from 'node:path';

import { mergeAdapter, readPeftAdapter } from '../checkpoints/index.js';
import { EngineError } from '../errors.js';
import { exportGguf } from '../gguf/write/index.js';
import { openBaseModel } from '../model/index.js';

const USAGE = 'Usage: npm run model:export-gguf -- <model folder> [<adapter folder>] <out file>';

/** `npm run model:export-gguf`: a model folder, with an adapter merged in if one is named, as one GGUF file. */
async function run(folders: readonly string[], outFile: string): Promise<void> {
  const [modelFolder, adapterFolder] = folders as [string, string | undefined];
  const model = await openBaseModel(modelFolder);
  const base = await model.loadWeights();
  const weights = adapterFolder
    ? mergeAdapter(base, model.config, await readPeftAdapter(adapterFolder, model.config))
    : base;
  const { bytes, sha256 } = await exportGguf(model, weights, outFile);
  console.log(`${outFile}: ${bytes} bytes, SHA-256 ${sha256}`);
}

const paths = process.argv.slice(2).map((path) => resolve(path));
if (paths.length < 2 || paths.length > 3) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    await run(paths.slice(0, -1), paths.at(-1)!);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
