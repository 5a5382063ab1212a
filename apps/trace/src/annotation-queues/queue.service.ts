import type { Readable } from 'node:stream';

import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import {
  type QueueCreateDto,
  type QueueCreateResultDto,
  type QueueItemQueryDto,
  type QueueItemRemoveResultDto,
  type QueueItemsAddDto,
  type QueueItemsAddResultDto,
  type QueueQueryDto,
  type QueueResultDto,
  type QueueStatsQueryDto,
  type QueueStatsResultDto,
  type QueueUpdateDto,
  RawJson,
  withoutScheme,
} from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { QueueWriteRepository } from '@hone/feedback';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { Cursors, noNextCursor } from '../cursors/cursors.js';
import { noRows, type RowsAnswer } from '../streams/rows-answer.js';
import { ProgressRepository } from './progress.repository.js';
import { QueueItemNotFoundError, QueueNotFoundError } from './queue.errors.js';
import { toQueue, toQueueItem } from './queue.mapper.js';
import type { QueueRecord } from './queue.record.js';
import { QueueRepository } from './queue.repository.js';
import { QueueAccess } from './queue-access.js';
import { QueueItemQueryRepository } from './queue-item-query.repository.js';
import { QueueListRepository } from './queue-list.repository.js';

const DEFAULT_LEASE_SECONDS = 900;

@Injectable()
export class QueueService {
  constructor(
    private readonly queues: QueueRepository,
    private readonly writes: QueueWriteRepository,
    private readonly lists: QueueListRepository,
    private readonly itemQueries: QueueItemQueryRepository,
    private readonly progress: ProgressRepository,
    private readonly queueAccess: QueueAccess,
    private readonly cursors: Cursors,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly refScheme: RefScheme,
  ) {}

  /** @throws AccessDeniedError */
  async create(author: Principal, body: QueueCreateDto): Promise<QueueCreateResultDto> {
    const grant = await this.access.grantWrite(author, 'trace', body.project_id, 'writer');
    const id = newId();
    await this.writes.create(await this.access.rowIdFor(author, grant), {
      id,
      name: body.name,
      description: body.description ?? '',
      scorerRefs: (body.scorer_refs ?? []).map(withoutScheme),
      reviewersPerItem: body.reviewers_per_item ?? null,
      leaseSeconds: body.lease_seconds ?? DEFAULT_LEASE_SECONDS,
      assignedOnly: body.assigned_only ?? false,
      createdBy: author.userId,
    });
    return { id };
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError */
  async read(caller: Principal, projectId: string, queueId: string): Promise<QueueResultDto> {
    const { queue } = await this.queueAccess.get(caller, projectId, queueId, 'reader');
    return this.answer(projectId, queueId, queue);
  }

  /**
   * Changes what the body gives.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError
   */
  async update(caller: Principal, queueId: string, body: QueueUpdateDto): Promise<QueueResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', body.project_id, 'writer');
    const { name, description, scorer_refs: scorerRefs } = body;
    const changed = await this.queues.update(projectRowId, queueId, {
      ...(typeof name === 'string' && { name }),
      ...(typeof description === 'string' && { description }),
      ...(scorerRefs && { scorerRefs: scorerRefs.map(withoutScheme) }),
      ...(body.reviewers_per_item !== undefined && { reviewersPerItem: body.reviewers_per_item }),
      ...(typeof body.lease_seconds === 'number' && { leaseSeconds: body.lease_seconds }),
      ...(typeof body.assigned_only === 'boolean' && { assignedOnly: body.assigned_only }),
    });
    return this.answer(body.project_id, queueId, changed);
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError also when it was deleted before */
  async delete(caller: Principal, projectId: string, queueId: string): Promise<QueueResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, 'writer');
    return this.database.transaction(async () => {
      const deleted = await this.queues.delete(projectRowId, queueId);
      if (deleted) await this.audit.addOf(caller, projectId, 'annotation_queue.delete', {}, queueId);
      return this.answer(projectId, queueId, deleted);
    });
  }

  /** Queues of a project, one on each line. An unknown project has none. @throws AccessDeniedError */
  async query(caller: Principal, query: QueueQueryDto): Promise<RawJson | Readable> {
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    return projectRowId === null ? new RawJson('') : this.lists.query(projectRowId, query, this.refScheme.name);
  }

  /** How far queues are. An unknown project has none. @throws AccessDeniedError */
  async statistics(caller: Principal, body: QueueStatsQueryDto): Promise<QueueStatsResultDto> {
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (projectRowId === null) return { stats: [] };
    const ownUserId = body.with_own === true ? caller.userId : null;
    return { stats: await this.lists.statistics(projectRowId, body.queue_ids, ownUserId) };
  }

  /**
   * Puts calls into a queue; a call is in a queue once.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError
   */
  async addItems(author: Principal, queueId: string, body: QueueItemsAddDto): Promise<QueueItemsAddResultDto> {
    const { projectRowId } = await this.queueAccess.get(author, body.project_id, queueId, 'writer');
    const known = await this.queues.findCalls(projectRowId, body.call_ids);
    const found = body.call_ids.filter((id) => known.has(id));
    const unique = [...new Set(found)];
    const added = await this.writes.addItems(projectRowId, queueId, unique, body.display_fields ?? [], author.userId);
    const missing = new Set(body.call_ids.filter((id) => !known.has(id)));
    return { added_count: added, duplicates: found.length - added, not_found: [...missing] };
  }

  /**
   * Takes an item out of its queue; the call may be added again.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError
   */
  async removeItem(
    caller: Principal,
    projectId: string,
    queueId: string,
    itemId: string,
  ): Promise<QueueItemRemoveResultDto> {
    const { projectRowId } = await this.queueAccess.get(caller, projectId, queueId, 'writer');
    const item = await this.database.transaction(async () => {
      const removed = await this.queues.removeItem(projectRowId, queueId, itemId);
      if (removed) await this.audit.addOf(caller, projectId, 'annotation_queue_item.delete', {}, itemId);
      return removed;
    });
    if (!item) throw new QueueItemNotFoundError(itemId, queueId);
    const own = await this.progress.find({ projectRowId, queueId, itemId }, caller.userId);
    return { item: toQueueItem(projectId, item, own) };
  }

  /**
   * Items of a queue with their newest progress. An unknown project has none.
   *
   * @throws AccessDeniedError, QueueNotFoundError
   */
  async queryItems(
    caller: Principal,
    queueId: string,
    query: QueueItemQueryDto,
    asLines: boolean,
  ): Promise<RowsAnswer> {
    const { project_id, filter, sort_by } = query;
    const page = await this.cursors.open(query, 'items/query', { project_id, queueId, filter, sort_by }, asLines);
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    if (projectRowId === null) return noRows(`{"items":[]${noNextCursor(page)}}`, asLines);
    if (!(await this.queues.exists(projectRowId, queueId))) throw new QueueNotFoundError(queueId, query.project_id);
    return this.itemQueries.query(projectRowId, queueId, query, page, asLines);
  }

  private answer(projectId: string, queueId: string, queue: QueueRecord | null): QueueResultDto {
    if (!queue) throw new QueueNotFoundError(queueId, projectId);
    return { queue: toQueue(projectId, queue, this.refScheme.name) };
  }
}
