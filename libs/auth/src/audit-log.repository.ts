import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { Principal } from './principal.js';

type Setting = string | number | boolean | null;

/** What was done, as it is stored with the change itself. */
export interface AuditDraft {
  actorId: string;
  action: AuditAction;
  /** Name or id of what was changed. */
  subject: string;
  /** `<entity>/<project>` that the change is about: keys that are bound to it see the entry. Absent or null: none. */
  projectId?: string | null;
  /** Counts, names and settings; never a secret, never what was traced. */
  detail?: Record<string, Setting | string[] | Record<string, Setting>[]>;
}

/** `<area>.<verb>`. */
export type AuditAction =
  | 'annotation_queue.delete'
  | 'annotation_queue_item.delete'
  | 'api_key.create'
  | 'api_key.revoke'
  | 'artifact.delete'
  | 'call_logging.put'
  | 'call_search.put'
  | 'calls.delete'
  | 'checkpoint_alias.delete'
  | 'checkpoint_alias.put'
  | 'checkpoint_alias.split'
  | 'checkpoint_alias.unsplit'
  | 'checkpoints.delete'
  | 'cost.create'
  | 'cost.delete'
  | 'dataset_links.delete'
  | 'entity.create'
  | 'feedback.delete'
  | 'files.erase'
  | 'member.delete'
  | 'member.put'
  | 'model.delete'
  | 'object_versions.delete'
  | 'object_versions.erase'
  | 'project.create'
  | 'retention.put'
  | 'session.end'
  | 'session.end_all'
  | 'session.open'
  | 'table_rows.erase'
  | 'tables.erase'
  | 'usage_limits.put'
  | 'user.create';

/** Notes who changed rights, money or how long data is kept, and who deleted what; `GET /account/audit` shows it. */
@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** Call it in the transaction of the change: neither is stored without the other. */
  async add({ actorId, action, subject, projectId: project = null, detail = {} }: AuditDraft): Promise<void> {
    await this.database.client.auditLog.create({ data: { id: newId(), actorId, action, subject, project, detail } });
  }

  /** {@link add} for data or settings of a project. @param subject name or id of what was changed; the project by default */
  async addOf(
    { userId: actorId }: Principal,
    projectId: string,
    action: AuditAction,
    detail: AuditDraft['detail'] = {},
    subject = projectId,
  ): Promise<void> {
    await this.add({ actorId, action, subject, projectId, detail });
  }
}
