import type { Role, Scope } from '@hone/contracts';

import type { KeyAttributes } from './key-attributes.js';

/** Who is calling: a user, through one of their keys. */
export interface Principal {
  userId: string;
  username: string;
  /** Has every role on every entity. */
  isAdmin: boolean;
  keyId: string;
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
  /** Null: never. */
  expiresAt: Date | null;
}
