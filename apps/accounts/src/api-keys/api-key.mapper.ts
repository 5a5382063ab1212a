import type { ApiKeyDto } from '@hone/contracts';

import type { ApiKeyRecord } from './api-key-record.js';

export const toApiKeyDto = (key: ApiKeyRecord): ApiKeyDto => ({
  id: key.id,
  prefix: key.prefix,
  label: key.label,
  username: key.username,
  scopes: key.scopes,
  project: key.onlyProject,
  default_project: key.defaultProject,
  chat_defaults: key.chatDefaults,
  min_priority: key.minPriority,
  models: key.models && [...key.models],
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
});
