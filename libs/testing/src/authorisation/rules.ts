import { type Role, ROLES } from '@hone/contracts';

import { type Actor, BOUND_ACTORS, isMember, userOf } from './actors.js';
import { isForeign, TARGET_KINDS, type TargetKind } from './targets.js';

/** The expected status of a route by caller and target. */
export interface AccessRule {
  targets: readonly TargetKind[];
  /** The request names an entity, so an answer may repeat it. */
  namesEntity: boolean;
  statusOf(actor: Actor, kind: TargetKind): number;
}

interface ProjectAnswers {
  /** Status for allowed callers. Default 200. */
  known?: number;
  /** The same where the project does not exist. Default 200. */
  unknown?: number;
  /** The same where the entity does not exist either. Default: `unknown`. */
  nowhere?: number;
  /** Role that is needed where the project does not exist. Default: the same. */
  unknownNeeds?: Role;
}

const NO_CREDENTIALS = 401;
const FORBIDDEN = 403;

const reaches = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The request names a project. */
export function byProject(needs: Role, answers: ProjectAnswers = {}): AccessRule {
  const { known = 200, unknown = 200, nowhere = unknown, unknownNeeds = needs } = answers;
  return {
    targets: TARGET_KINDS,
    namesEntity: true,
    statusOf(actor, kind) {
      if (actor === 'nobody') return NO_CREDENTIALS;
      const { user, isBound } = userOf(actor);
      if (isBound && kind !== 'own') return FORBIDDEN;
      const isThere = kind === 'own' || kind === 'foreign';
      const mayAsMember = isMember(user) && !isForeign(kind) && reaches(user, isThere ? needs : unknownNeeds);
      if (user !== 'admin' && !mayAsMember) return FORBIDDEN;
      return isThere ? known : kind === 'nowhere' ? nowhere : unknown;
    },
  };
}

/** The request names a thing by its id alone: `unknown` is an id that nothing has. */
export const byId = (needs: Role, known = 200): AccessRule => ({
  targets: ['own', 'unknown', 'foreign'],
  namesEntity: false,
  statusOf(actor, kind) {
    if (actor === 'nobody') return NO_CREDENTIALS;
    if (kind === 'unknown') return 404;
    const { user, isBound } = userOf(actor);
    if (isBound && kind !== 'own') return FORBIDDEN;
    const mayAsMember = isMember(user) && kind === 'own' && reaches(user, needs);
    return user === 'admin' || mayAsMember ? known : FORBIDDEN;
  },
});

/** The request names no project. @param who is allowed, besides an admin */
export const byKey = (who: readonly Actor[]): AccessRule => ({
  targets: ['own'],
  namesEntity: false,
  statusOf(actor) {
    if (actor === 'nobody') return NO_CREDENTIALS;
    return actor === 'admin' || who.includes(actor) ? 200 : FORBIDDEN;
  },
});

/** Somebody else's unbound key is, for all but admins with an unbound key, no key at all. */
export const OTHERS_KEY: AccessRule = {
  targets: ['own', 'unknown', 'foreign'],
  namesEntity: false,
  statusOf(actor, kind) {
    if (actor === 'nobody') return NO_CREDENTIALS;
    if (actor === 'unscoped') return FORBIDDEN;
    return actor === 'admin' && kind !== 'unknown' ? 200 : 404;
  },
};

/** Every caller with the scope: the answer holds the caller's own data only. */
export const ANY_SCOPED_KEY: readonly Actor[] = [
  ...(['outsider', 'reader', 'annotator', 'writer', 'owner', 'bound'] as const),
  ...BOUND_ACTORS,
];
export const ANY_KEY: readonly Actor[] = [...ANY_SCOPED_KEY, 'unscoped'];
