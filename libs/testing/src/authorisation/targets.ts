import { OWN_ENTITY, OWN_PROJECT } from './actors.js';

/** The project that a request names, as seen by a member of one entity. */
export const TARGET_KINDS = ['own', 'unknown', 'foreign', 'foreign unknown', 'nowhere'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export interface Target {
  kind: TargetKind;
  entity: string;
  project: string;
  /** `<entity>/<project>`. */
  projectId: string;
}

/** An existing project that only an admin may see. */
export const SECRET = { entity: 'globex', project: 'secret' } as const;
const OWN = { entity: OWN_ENTITY, project: OWN_PROJECT };

export const isForeign = (kind: TargetKind): boolean => kind !== 'own' && kind !== 'unknown';

/** @param number of the request: it makes missing projects unique, as an allowed write creates them */
export function targetOf(kind: TargetKind, number: number): Target {
  const { entity, project } = named(kind, number);
  return { kind, entity, project, projectId: `${entity}/${project}` };
}

function named(kind: TargetKind, number: number): { entity: string; project: string } {
  const project = `none-${number}`;
  switch (kind) {
    case 'own':
      return OWN;
    case 'unknown':
      return { ...OWN, project };
    case 'foreign':
      return SECRET;
    case 'foreign unknown':
      return { ...SECRET, project };
    case 'nowhere':
      return { entity: `initech-${number}`, project };
  }
}
