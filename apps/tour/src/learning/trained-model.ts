import type { Hone, TrainableModelDetailDto } from '@hone/client';

/** A new model over a base, under a name of its own so that the tour can be taken again. */
export async function createModel(
  hone: Hone,
  project: string,
  prefix: string,
  base: string,
): Promise<TrainableModelDetailDto> {
  const name = `${prefix}-${Date.now().toString(36)}`;
  const { id } = await hone.training.createTrainableModel({ project, name, base_model: base });
  return hone.training.getTrainableModel({ model_id: id });
}
