import type { AuditEntryDto } from '@hone/contracts';

import type { AuditRecord } from './audit-entry.js';

export const toAuditEntryDto = (entry: AuditRecord): AuditEntryDto => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: entry.actor,
  action: entry.action,
  subject: entry.subject,
  project: entry.project,
  detail: entry.detail,
});
