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
