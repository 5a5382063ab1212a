import type { HoneClient } from '../api/hone-client.js';
import type { TrainableModel } from '../api/wire.js';

const MODELS = '/v1/preview/models';

/** A new model over a base, under a name of its own so that the tour can be taken again. */
export async function createModel(
  client: HoneClient,
  project: string,
  prefix: string,
  base: string,
): Promise<TrainableModel> {
  const name = `${prefix}-${Date.now().toString(36)}`;
  const { id } = await client.post<{ id: string }>(MODELS, { project, name, base_model: base });
  return client.get<TrainableModel>(`${MODELS}/${id}`);
}
