import type { StoredWeights, WeightForm } from '../blocks/index.js';
import { type ModelFolder, openModelFolder } from '../model/model-folder.js';

/** A base model with its weights in memory. */
export interface LoadedBase {
  readonly model: ModelFolder;
  /** Frozen while adapters are trained: in any form. */
  readonly weights: StoredWeights;
}

/** @throws BaseModelUnsupportedError and the other errors of opening a model folder and reading its weights */
export async function loadBase(directory: string, maxParams: number, form: WeightForm): Promise<LoadedBase> {
  const model = await openModelFolder(directory, { maxParams });
  return { model, weights: await model.loadStoredWeights(form) };
}
