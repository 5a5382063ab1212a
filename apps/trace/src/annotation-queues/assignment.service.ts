import type { Principal } from '@hone/auth';
import {
  type AnnotationAuditResultDto,
  type AssigneesResultDto,
  type AssigneesSetDto,
  type ReopenDto,
  type ReopenResultDto,
  valueIssue,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { toAssignee, toAudit } from './assignment.mapper.js';
import { AssignmentRepository } from './assignment.repository.js';
import { ItemLocks } from './item-locks.js';
import { type ItemKey, ProgressRepository } from './progress.repository.js';
import { IllegalTransitionError, QueueItemNotFoundError } from './queue.errors.js';
import { toQueueItem } from './queue.mapper.js';
import { QueueAccess } from './queue-access.js';
import { isFinished } from './review-slots.js';

/** What writers decide about the work of annotators. Every change leaves an entry in the audit. */
@Injectable()
export class AssignmentService {
  constructor(
    private readonly queues: QueueAccess,
    private readonly locks: ItemLocks,
    private readonly progress: ProgressRepository,
    private readonly assignments: AssignmentRepository,
    private readonly database: Database,
  ) {}

  /**
   * Sets who should annotate an item. Where nothing changes, nothing is written.
   *
   * @throws ValidationError not exactly one of `user_ids` and `emails`, or one who may not annotate in the project
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError
   */
  async assign(actor: Principal, queueId: string, itemId: string, body: AssigneesSetDto): Promise<AssigneesResultDto> {
    const [field, names] = namesOf(body);
    const { projectRowId } = await this.queues.get(actor, body.project_id, queueId, 'writer');
    const key = { projectRowId, queueId, itemId };
    return this.database.transaction(async () => {
      await this.locks.lock(key, body.project_id, actor.userId);
      const userIds = await this.idsOf(body.project_id, field, names);
      const before = (await this.assignments.list(key)).map(({ userId }) => userId).sort();
      if (before.join() !== userIds.join()) {
        await this.assignments.replace(key, userIds, actor.userId);
        const change = { before: { user_ids: before }, after: { user_ids: userIds }, reason: null };
        await this.assignments.addAudit(key, { actorId: actor.userId, action: 'assign', ...change });
      }
      return { assignees: (await this.assignments.list(key)).map(toAssignee) };
    });
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError */
  async listAssignees(
    caller: Principal,
    projectId: string,
    queueId: string,
    itemId: string,
  ): Promise<AssigneesResultDto> {
    const key = await this.readable(caller, projectId, queueId, itemId);
    return { assignees: (await this.assignments.list(key)).map(toAssignee) };
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError */
  async listAudit(
    caller: Principal,
    projectId: string,
    queueId: string,
    itemId: string,
  ): Promise<AnnotationAuditResultDto> {
    const key = await this.readable(caller, projectId, queueId, itemId);
    return { entries: (await this.assignments.listAudit(key)).map(toAudit) };
  }

  /**
   * Makes the state of an annotator `unstarted` again: their slot and lease are free. Feedback that they gave stays.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError
   * @throws IllegalTransitionError they have not started the item
   */
  async reopen(actor: Principal, queueId: string, itemId: string, body: ReopenDto): Promise<ReopenResultDto> {
    const { project_id: projectId, user_id: userId, reason } = body;
    const { projectRowId } = await this.queues.get(actor, projectId, queueId, 'writer');
    const key = { projectRowId, queueId, itemId };
    return this.database.transaction(async () => {
      const { item, own, others } = await this.locks.lock(key, projectId, actor.userId);
      const all = own ? [own, ...others] : others;
      const found = all.find((one) => one.userId === userId);
      if (!found || found.state === 'unstarted') throw IllegalTransitionError.notStarted(itemId, userId);
      const ended = { leaseId: null, leaseExpiresAt: null };
      const reopened = { userId, state: 'unstarted' as const, updatedAt: new Date(), ...ended };
      await this.progress.save(key, reopened);
      await this.progress.setFinishedCount(key, all.filter((one) => one !== found && isFinished(one)).length);
      const stateOf = ({ state }: { state: string }) => ({ user_id: userId, state });
      const change = { before: stateOf(found), after: stateOf(reopened), reason };
      await this.assignments.addAudit(key, { actorId: actor.userId, action: 'reopen', ...change });
      return { item: toQueueItem(projectId, item, reopened) };
    });
  }

  private async readable(caller: Principal, projectId: string, queueId: string, itemId: string): Promise<ItemKey> {
    const { projectRowId } = await this.queues.get(caller, projectId, queueId, 'reader');
    const key = { projectRowId, queueId, itemId };
    if (!(await this.progress.hasItem(key))) throw new QueueItemNotFoundError(itemId, queueId);
    return key;
  }

  /** Ids of users who may annotate in a project, each once, sorted. @throws ValidationError one of them may not */
  private async idsOf(projectId: string, field: 'user_ids' | 'emails', names: string[]): Promise<string[]> {
    const entity = projectId.slice(0, projectId.indexOf('/'));
    const known = await this.assignments.findAnnotators(entity, field === 'user_ids' ? 'id' : 'username', names);
    // The sentence is the same for users that there are not and those of other entities.
    const issues = names.flatMap((name, index) =>
      known.has(name) ? [] : [valueIssue(`'${name}' is no annotator of entity '${entity}'`, ['body', field, index])],
    );
    if (issues.length) throw new ValidationError(issues);
    return [...new Set(known.values())].sort();
  }
}

/** The one field that names the assignees. @throws ValidationError none does, or both do */
function namesOf({ user_ids, emails }: AssigneesSetDto): ['user_ids' | 'emails', string[]] {
  if (user_ids && !emails) return ['user_ids', user_ids];
  if (emails && !user_ids) return ['emails', emails];
  throw new ValidationError([valueIssue('One of user_ids and emails names the assignees', ['body', 'user_ids'])]);
}
