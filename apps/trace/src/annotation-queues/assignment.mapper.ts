import type { AnnotationAuditDto, AssigneeDto } from '@hone/contracts';

import type { AssigneeRecord, AuditRecord } from './assignment.repository.js';

export const toAssignee = ({ userId, username, createdAt, createdBy }: AssigneeRecord): AssigneeDto => ({
  user_id: userId,
  username,
  created_at: createdAt.toISOString(),
  created_by: createdBy,
});

export const toAudit = (entry: AuditRecord): AnnotationAuditDto => ({
  id: entry.id,
  item_id: entry.itemId,
  actor_id: entry.actorId,
  action: entry.action as AnnotationAuditDto['action'],
  before: entry.before as Record<string, unknown>,
  after: entry.after as Record<string, unknown>,
  reason: entry.reason,
  at: entry.at.toISOString(),
});
