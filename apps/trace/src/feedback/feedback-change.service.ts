import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import { idsOfPurge } from '@hone/call-queries';
import type { EmptyResultDto, FeedbackPurgeDto, JsonValue } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { FeedbackNotFoundError } from './feedback.errors.js';
import type { FeedbackResult } from './feedback.mapper.js';
import { FeedbackService } from './feedback.service.js';
import type { SentReplacement } from './feedback-bodies.task.js';
import { FeedbackChangeRepository, type FeedbackOwner } from './feedback-change.repository.js';
import { FeedbackDrafter } from './feedback-drafter.js';
import { FeedbackRevisionRepository } from './history/feedback-revision.repository.js';

/** Replaces and purges records: annotators their own, writers those of everyone. */
@Injectable()
export class FeedbackChangeService {
  constructor(
    private readonly records: FeedbackChangeRepository,
    private readonly revisions: FeedbackRevisionRepository,
    private readonly feedback: FeedbackService,
    private readonly drafter: FeedbackDrafter,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Stores the new record and deletes the one that it replaces, both or neither; the history keeps the old one. The new
   * one passes every check of a create; its `id` may be that of the old one.
   *
   * @throws ValidationError, PayloadTooLargeError, FeedbackIdTakenError as create does
   * @throws AccessDeniedError also when the old record is another's, and the author is an annotator
   * @throws ProjectNotFoundError, FeedbackNotFoundError
   */
  async replace(author: Principal, { oldId, reason, feedback }: SentReplacement): Promise<FeedbackResult> {
    const { projectId, id } = feedback;
    const projectRowId = await this.access.getReadable(author, 'trace', projectId, 'annotator');
    const prepared = await this.drafter.prepare(author, [feedback], false);
    return this.database.transaction(async () => {
      const found = await this.records.lock(projectRowId, id === null ? [oldId] : [oldId, id]);
      const old = found.find((record) => record.id === oldId);
      if (!old) throw new FeedbackNotFoundError(oldId, projectId);
      await this.assertMayChange(author, projectId, [old]);
      await this.revisions.keep(projectRowId, oldId, author.userId, reason);
      await this.records.delete(projectRowId, [oldId]);
      const stored = await this.feedback.store(author, prepared);
      await this.revisions.move(projectRowId, oldId, stored.id);
      return stored;
    });
  }

  /**
   * Deletes records for good, with all that they replaced, all that are named or none. The id of a record that was
   * replaced names that one in the history. Scores that wait for their calls are deleted by the ids that they will have.
   *
   * @throws ValidationError the query may name more than ids
   * @throws AccessDeniedError also when a record is another's, and the caller is an annotator
   * @throws ProjectNotFoundError
   */
  async purge(caller: Principal, { project_id, query }: FeedbackPurgeDto): Promise<EmptyResultDto> {
    const ids = idsOfPurge(query.$expr as JsonValue);
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'annotator');
    await this.database.transaction(async () => {
      const waiting = await this.records.lockWaiting(projectRowId, ids);
      const found = await this.records.lock(projectRowId, ids);
      const replaced = await this.revisions.findOwners(projectRowId, ids);
      await this.assertMayChange(caller, project_id, [...waiting, ...found, ...replaced]);
      await this.records.delete(
        projectRowId,
        found.map(({ id }) => id),
      );
      await this.revisions.delete(projectRowId, ids);
      await this.records.deleteWaiting(
        projectRowId,
        waiting.map(({ id }) => id),
      );
      const count = found.length + waiting.filter(({ id }) => !found.some((record) => record.id === id)).length;
      if (count > 0) await this.audit.addOf(caller, project_id, 'feedback.delete', { count });
    });
    return {};
  }

  /** @throws AccessDeniedError */
  private async assertMayChange(caller: Principal, projectId: string, records: FeedbackOwner[]): Promise<void> {
    if (records.every(({ svcUserId }) => svcUserId === caller.userId)) return;
    await this.access.getReadable(caller, 'trace', projectId, 'writer');
  }
}
