import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import {
  type AnnotationState,
  type ProgressResultDto,
  type ProgressUpdateDto,
  type QueueCreateDto,
  type QueueCreateResultDto,
  type QueueItemQueryDto,
  type QueueItemsAddDto,
  type QueueItemsAddResultDto,
  RawJson,
  withoutScheme,
} from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { type Principal, ProjectAccess } from '@hone/auth';

import { IllegalTransitionError, QueueItemNotFoundError, QueueNotFoundError } from './queue.errors.js';
import { toQueueItem } from './queue.mapper.js';
import { QueueItemQueryRepository } from './queue-item-query.repository.js';
import { QueueRepository } from './queue.repository.js';

const MOVES: Record<AnnotationState, readonly AnnotationState[]> = {
  unstarted: ['in_progress', 'completed', 'skipped'],
  in_progress: ['completed', 'skipped'],
  completed: [],
  skipped: [],
};

@Injectable()
export class QueueService {
  constructor(
    private readonly queues: QueueRepository,
    private readonly itemQueries: QueueItemQueryRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  /** @throws AccessDeniedError */
  async create(author: Principal, body: QueueCreateDto): Promise<QueueCreateResultDto> {
    const grant = await this.access.grantWrite(author, 'trace', body.project_id, 'writer');
    const id = newId();
    await this.queues.create(await this.access.rowIdFor(author, grant), {
      id,
      name: body.name,
      description: body.description ?? '',
      scorerRefs: (body.scorer_refs ?? []).map(withoutScheme),
      createdBy: author.userId,
    });
    return { id };
  }

  /**
   * Puts calls into a queue; a call is in a queue once.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError
   */
  async addItems(author: Principal, queueId: string, body: QueueItemsAddDto): Promise<QueueItemsAddResultDto> {
    const projectRowId = await this.#queueProject(author, body.project_id, queueId, 'writer');
    const known = await this.queues.findCalls(projectRowId, body.call_ids);
    const found = body.call_ids.filter((id) => known.has(id));
    const unique = [...new Set(found)];
    const added = await this.queues.addItems(projectRowId, queueId, unique, body.display_fields ?? [], author.userId);
    const missing = new Set(body.call_ids.filter((id) => !known.has(id)));
    return { added_count: added, duplicates: found.length - added, not_found: [...missing] };
  }

  /**
   * Moves the caller's own state of an item. A move to the state it has changes nothing.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError
   * @throws IllegalTransitionError
   */
  async progress(
    annotator: Principal,
    queueId: string,
    itemId: string,
    body: ProgressUpdateDto,
  ): Promise<ProgressResultDto> {
    const projectRowId = await this.#queueProject(annotator, body.project_id, queueId, 'annotator');
    return this.database.transaction(async () => {
      const item = await this.queues.lockItem(projectRowId, queueId, itemId);
      if (!item) throw new QueueItemNotFoundError(itemId, queueId);
      let own = await this.queues.findProgress(projectRowId, queueId, itemId, annotator.userId);
      const from = own?.state ?? 'unstarted';
      const to = body.annotation_state;
      if (from !== to) {
        if (!MOVES[from].includes(to)) throw new IllegalTransitionError(from, to);
        own = { userId: annotator.userId, state: to, updatedAt: new Date() };
        await this.queues.saveProgress(projectRowId, queueId, itemId, own);
      }
      return { item: toQueueItem(body.project_id, item, own) };
    });
  }

  /**
   * Items of a queue with their newest progress. An unknown project has none.
   *
   * @throws AccessDeniedError, QueueNotFoundError
   */
  async queryItems(caller: Principal, queueId: string, query: QueueItemQueryDto): Promise<RawJson | Readable> {
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    if (projectRowId === null) return new RawJson('{"items":[]}');
    if (!(await this.queues.exists(projectRowId, queueId))) throw new QueueNotFoundError(queueId, query.project_id);
    return this.itemQueries.query(projectRowId, queueId, query);
  }

  async #queueProject(
    caller: Principal,
    projectId: string,
    queueId: string,
    role: 'annotator' | 'writer',
  ): Promise<string> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, role);
    if (!(await this.queues.exists(projectRowId, queueId))) throw new QueueNotFoundError(queueId, projectId);
    return projectRowId;
  }
}
