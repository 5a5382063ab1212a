import { AuditLog, type Principal } from '@hone/auth';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { EndedItemsRepository } from '../../annotation-queues/ended-items.repository.js';
import { CallChangeRepository } from './call-change.repository.js';

/** Calls of a project, by its name and the id of its row. */
interface DoomedCalls {
  projectId: string;
  projectRowId: string;
  ids: string[];
}

/** Deletes calls: they are shown no more, annotators are not given them, and `../erasure` erases their content soon. */
@Injectable()
export class CallDeletion {
  constructor(
    private readonly calls: CallChangeRepository,
    private readonly items: EndedItemsRepository,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** Deletes calls with all that they made. Ids of no call are ignored. @returns how many */
  async delete(caller: Principal, { projectId, projectRowId, ids }: DoomedCalls): Promise<number> {
    if (ids.length === 0) return 0;
    return this.database.transaction(async () => {
      const deleted = await this.calls.delete(projectRowId, ids);
      await this.items.endOfCalls(projectRowId, deleted);
      const count = deleted.length;
      if (count > 0) await this.audit.addOf(caller, projectId, 'calls.delete', { count });
      return count;
    });
  }
}
