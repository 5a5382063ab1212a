import { Injectable } from '@nestjs/common';
import { Database, newId } from '@hone/database';

/** What was done, as it is stored with the change itself. */
export interface AuditDraft {
  actorId: string;
  action: AuditAction;
  /** Name or id of what was changed. */
  subject: string;
  /** `<entity>/<project>` that the change is about: keys that are bound to it see the entry. Absent or null: none. */
  projectId?: string | null;
  /** Counts, names and settings; never a secret, never what was traced. */
  detail?: Record<string, string | number | boolean | string[] | null>;
}

/** `<area>.<verb>`. */
export type AuditAction =
  | 'api_key.create'
  | 'api_key.revoke'
  | 'session.open'
  | 'session.end'
  | 'session.end_all'
  | 'checkpoint_alias.delete'
  | 'checkpoint_alias.put'
  | 'entity.create'
  | 'member.delete'
  | 'member.put'
  | 'project.create'
  | 'usage_limits.put'
  | 'user.create';

/** Notes who changed what about accounts and what they may use; `GET /account/audit` shows it. */
@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** Call it in the transaction of the change: neither is stored without the other. */
  async add({ actorId, action, subject, projectId: project = null, detail = {} }: AuditDraft): Promise<void> {
    await this.database.client.auditLog.create({ data: { id: newId(), actorId, action, subject, project, detail } });
  }
}
