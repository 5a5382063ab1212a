import { OWN_ENTITY } from './actors.js';

/** Where a request may point to, seen by somebody with a role on one entity. */
export const PLACES = ['own', 'unknown', 'foreign', 'foreign unknown', 'nowhere'] as const;
export type Place = (typeof PLACES)[number];

export interface Location {
  place: Place;
  entity: string;
  project: string;
  /** `<entity>/<project>`. */
  projectId: string;
}

/** The project that is there, and that nobody but an admin may hear of. */
export const SECRET = { entity: 'globex', project: 'secret' } as const;
const OWN = { entity: OWN_ENTITY, project: 'demo' };

export const isForeign = (place: Place): boolean => place !== 'own' && place !== 'unknown';

/** @param number of the request: what is not there is another each time, because a write that is let through makes it */
export function locate(place: Place, number: number): Location {
  const { entity, project } = named(place, number);
  return { place, entity, project, projectId: `${entity}/${project}` };
}

function named(place: Place, number: number): { entity: string; project: string } {
  const project = `none-${number}`;
  switch (place) {
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
