import { type Hone, InvalidRequestError, type TrainableModelDetailDto } from '@hone/client';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PAGE = 100;

/** A model that can be trained, and whether it was asked for by the name of its base model. */
export interface FoundModel {
  readonly model: TrainableModelDetailDto;
  readonly isByBase: boolean;
}

/**
 * The trainable model that has this id, this name or this name for chat completions; for the name of a base model one of the same name
 * on it, which is made unless it is there.
 *
 * @param projectId where names are looked up
 * @throws Error there is neither
 */
export async function findModel(hone: Hone, wanted: string, projectId: string): Promise<FoundModel> {
  const known = UUID.test(wanted) ? wanted : await findIdByName(hone, wanted, projectId);
  const model_id = known ?? (await makeOn(hone, wanted, projectId));
  return { model: await hone.training.getTrainableModel({ model_id }), isByBase: known === null };
}

/** Null: there is none. */
async function findIdByName(hone: Hone, wanted: string, projectId: string): Promise<string | null> {
  const [entity = '', project = ''] = projectId.split('/');
  for (let after: string | undefined; ;) {
    const page = await hone.training.listTrainableModels({
      ...{ entity, project, limit: PAGE, ...(after !== undefined && { after }) },
    });
    const found = page.data.find(({ name, inference_name }) => name === wanted || inference_name === wanted);
    if (found) return found.id;
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) return null;
  }
}

async function makeOn(hone: Hone, base: string, projectId: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const body = { entity, project, name: nameOn(base), base_model: base, return_existing: true };
  const made = await hone.training.createTrainableModel(body).catch((error: unknown) => {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new Error(`${projectId} has no trainable model ${base}, and it is no base model: ${sentenceOf(error)}`);
  });
  if (made.base_model === base) return made.id;
  throw new Error(`The model ${made.name} of ${projectId} is on ${made.base_model}, not on ${base}.`);
}

/** Names of models have neither slashes nor colons. */
export const nameOn = (base: string): string => base.replaceAll(/[/:]/g, '-');

const sentenceOf = ({ detail }: InvalidRequestError): string =>
  typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join(' ');
