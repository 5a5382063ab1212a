import type { UserDto } from '@hone/contracts';

import type { UserRecord } from './user-record.js';

export const toUserDto = (user: UserRecord): UserDto => ({
  id: user.id,
  username: user.username,
  is_admin: user.isAdmin,
  default_entity: user.defaultEntity,
  created_at: user.createdAt.toISOString(),
});
