/** What was done, as it is stored with the change itself. */
export interface AuditDraft {
  actorId: string;
  action: AuditAction;
  /** Name or id of what was changed. */
  subject: string;
  /** Never a secret. */
  detail?: Record<string, string | boolean | string[] | null>;
}

export interface AuditRecord {
  id: string;
  at: Date;
  /** Username. */
  actor: string;
  action: string;
  subject: string;
  detail: unknown;
}

/** `<area>.<verb>`. */
export type AuditAction =
  | 'api_key.create'
  | 'api_key.revoke'
  | 'entity.create'
  | 'member.delete'
  | 'member.put'
  | 'project.create'
  | 'user.create';
