import type { Role } from '@hone/contracts';

export type EntityKind = 'team' | 'user';

export interface EntityRecord {
  id: string;
  name: string;
  kind: EntityKind;
  createdAt: Date;
}

/** An entity and what one user may do in it; null: nothing. */
export interface EntityWithRole extends EntityRecord {
  role: Role | null;
}
