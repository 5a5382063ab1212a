import { type Principal, ProjectAccess } from '@hone/auth';
import type { Role } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { QueueNotFoundError } from './queue.errors.js';
import type { QueueRecord } from './queue.record.js';
import { QueueRepository } from './queue.repository.js';

/** Finds queues for those who may use them. */
@Injectable()
export class QueueAccess {
  constructor(
    private readonly queues: QueueRepository,
    private readonly access: ProjectAccess,
  ) {}

  /** @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError */
  async get(
    caller: Principal,
    projectId: string,
    queueId: string,
    role: Role,
  ): Promise<{ projectRowId: string; queue: QueueRecord }> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, role);
    const queue = await this.queues.find(projectRowId, queueId);
    if (!queue) throw new QueueNotFoundError(queueId, projectId);
    return { projectRowId, queue };
  }
}
