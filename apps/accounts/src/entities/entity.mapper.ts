import type { EntityDto, Role } from '@hone/contracts';

import type { EntityRecord } from './entity-record.js';

export const toEntityDto = (entity: EntityRecord, role: Role): EntityDto => ({
  name: entity.name,
  kind: entity.kind,
  role,
  created_at: entity.createdAt.toISOString(),
});
