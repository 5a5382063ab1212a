export interface AuditRecord {
  id: string;
  at: Date;
  /** Username. */
  actor: string;
  action: string;
  subject: string;
  /** `<entity>/<project>`; null: not about a project. */
  project: string | null;
  detail: unknown;
}

/** Which entries a caller may see. */
export interface VisibleEntries {
  /** Only what this user did; null: everyone. */
  actorId: string | null;
  /** Only what is about this project; null: everything. */
  projectId: string | null;
}

/** Which entries are asked for. */
export interface AuditPage {
  limit: number;
  /** Id of the last entry seen; undefined: from the newest. */
  after: string | undefined;
  /** Username; undefined: anybody. */
  actor: string | undefined;
  /** An action, or the area of actions; undefined: any. */
  action: string | undefined;
  from: Date | undefined;
  /** Excluded. */
  to: Date | undefined;
}
