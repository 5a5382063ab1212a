import { decodeOrSame } from '../format/decode.js';

/** Models of one origin. */
export interface ModelGroup {
  readonly name: string;
  readonly models: readonly { readonly id: string; readonly title: string }[];
}

const ARTIFACT = /^[a-z][a-z0-9+.-]*-artifact:\/\/\/([^/]+)\/([^/]+)\/(.+)$/;

/** The name of a model as people say it: of a trained one its own name, with the project where that is another. */
export function modelTitle(id: string, projectId: string): string {
  const parts = partsOf(id);
  if (parts === null) return id;
  return parts.projectId === projectId ? parts.name : `${parts.projectId}/${parts.name}`;
}

/** Models by their origin, those that the project has trained first. @param ids in the order in which a group has them */
export function groupModels(ids: readonly string[], projectId: string): readonly ModelGroup[] {
  const groupOf = (id: string) => {
    const parts = partsOf(id);
    return parts === null ? 1 : parts.projectId === projectId ? 0 : 2;
  };
  return [`Trained in ${projectId}`, 'Of the gateway', 'Trained in other projects']
    .map((name, group) => ({
      name,
      models: ids
        .filter((id) => id !== '' && groupOf(id) === group)
        .map((id) => ({ id, title: modelTitle(id, projectId) })),
    }))
    .filter(({ models }) => models.length > 0);
}

/** Of the id of a trained model, such as `hone-artifact:///acme/demo/helper:step3`; null: it is none. */
function partsOf(id: string): { readonly projectId: string; readonly name: string } | null {
  const [, entity = '', project = '', name] = ARTIFACT.exec(id) ?? [];
  return name === undefined
    ? null
    : { projectId: `${decodeOrSame(entity)}/${decodeOrSame(project)}`, name: decodeOrSame(name) };
}
