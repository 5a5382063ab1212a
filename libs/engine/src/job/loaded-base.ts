import { type BaseModel, openBaseModel } from '../model/base-model.js';
import type { Weights } from '../tensor.js';

/** A base model with its weights in memory. */
export interface LoadedBase {
  readonly model: BaseModel;
  readonly weights: Weights;
}

/** @throws BaseModelUnsupportedError and the other errors of opening a base model and reading its weights */
export async function loadBase(directory: string, maxParams: number): Promise<LoadedBase> {
  const model = await openBaseModel(directory, { maxParams });
  return { model, weights: await model.loadWeights() };
}
