import type { Role, Scope } from '@hone/contracts';

import type { KeyAttributes } from './key-attributes.js';

/** Who is calling: a user, through one of their keys. */
export interface Principal {
  userId: string;
  username: string;
  /** Has every role on every entity. */
  isAdmin: boolean;
  keyId: string;
  /** Session of a browser through which the key is used. Null: the request has the key itself. */
  sessionId: string | null;
  /** Surfaces that the key opens. */
  scopes: ReadonlySet<Scope>;
  /** `<entity>/<project>` when the key is bound to one project. */
  onlyProject: string | null;
  /** Entity of what is made without naming one. */
  defaultEntity: string;
  /** `<entity>/<project>` that usage is booked to when a request names none. */
  defaultProject: string;
  attributes: KeyAttributes;
  /** Role per entity name. */
  roles: ReadonlyMap<string, Role>;
  /** When key or session end, whichever is first. Null: never. */
  expiresAt: Date | null;
}

/** What a request that names no project is about: the project that the key is bound to, else its default. */
export const ownProjectOf = ({ onlyProject, defaultProject }: Principal): string => onlyProject ?? defaultProject;

/** An administrator with a key for administration: a key that applications use, or one of a project, is none. */
export const isOperator = ({ isAdmin, scopes, onlyProject }: Principal): boolean =>
  isAdmin && scopes.has('account') && onlyProject === null;

/** False: the key is bound to a project of another entity, so it is a stranger in this one, whoever its user is. */
export const opensEntity = ({ onlyProject }: Principal, entity: string): boolean =>
  onlyProject === null || onlyProject.startsWith(`${entity}/`);

/** The user of a key, and the project that it is bound to. */
export interface KeyOwnership {
  userId: string;
  /** `<entity>/<project>`. Null: bound to none. */
  onlyProject: string | null;
}

/**
 * Whether a caller may see and change a key: their own, or, as an admin, anyone's. A key that is bound to a project reaches
 * only keys that are bound to the same one.
 */
export const mayManageKey = ({ userId, isAdmin, onlyProject }: Principal, key: KeyOwnership): boolean =>
  (isAdmin || key.userId === userId) && (onlyProject === null || key.onlyProject === onlyProject);
