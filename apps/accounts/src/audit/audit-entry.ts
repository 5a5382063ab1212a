export interface AuditRecord {
  id: string;
  at: Date;
  /** Username. */
  actor: string;
  action: string;
  subject: string;
  detail: unknown;
}

/** Which entries are asked for. */
export interface AuditPage {
  limit: number;
  /** Id of the last entry seen; undefined: from the newest. */
  after: string | undefined;
}
