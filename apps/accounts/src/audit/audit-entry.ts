export interface AuditRecord {
  id: string;
  at: Date;
  /** Username. */
  actor: string;
  action: string;
  subject: string;
  detail: unknown;
}
