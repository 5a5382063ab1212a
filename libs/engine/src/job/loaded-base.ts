import { type BaseModel, openBaseModel } from '../model/base-model.js';
import type { StoredWeights, WeightForm } from '../blocks/index.js';

/** A base model with its weights in memory. */
export interface LoadedBase {
  readonly model: BaseModel;
  /** Frozen while adapters are trained: in any form. */
  readonly weights: StoredWeights;
}

/** @throws BaseModelUnsupportedError and the other errors of opening a base model and reading its weights */
export async function loadBase(directory: string, maxParams: number, form: WeightForm): Promise<LoadedBase> {
  const model = await openBaseModel(directory, { maxParams });
  return { model, weights: await model.loadStoredWeights(form) };
}
