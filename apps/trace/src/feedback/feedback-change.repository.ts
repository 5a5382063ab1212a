import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Whose record it is. */
export interface FeedbackOwner {
  id: string;
  svcUserId: string;
}

/** A record that is locked. */
export interface LockedFeedback extends FeedbackOwner {
  createdAt: Date;
}

/** What takes records away. */
@Injectable()
export class FeedbackChangeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks those of these records that exist until the transaction ends. They are taken by code point of their ids, as
   * inserts take them: two transactions never wait for each other.
   */
  async lock(projectRowId: string, ids: string[]): Promise<LockedFeedback[]> {
    return this.database.client.$queryRaw<LockedFeedback[]>`
      SELECT id, svc_user_id AS "svcUserId", created_at AS "createdAt" FROM feedback
      WHERE project_id = ${projectRowId}::uuid AND id = ANY(${ids}) ORDER BY id COLLATE "C" FOR UPDATE`;
  }

  /** Locks scores that wait for their calls, by the ids of the records that they will be. */
  async lockWaiting(projectRowId: string, ids: string[]): Promise<FeedbackOwner[]> {
    return this.database.client.$queryRaw<FeedbackOwner[]>`
      SELECT id, svc_user_id AS "svcUserId" FROM waiting_scores
      WHERE project_id = ${projectRowId}::uuid AND id = ANY(${ids}) ORDER BY id FOR UPDATE`;
  }

  /** Deletes records for good. Ids of no record are ignored. */
  async delete(projectRowId: string, ids: string[]): Promise<void> {
    await this.database.client.feedback.deleteMany({ where: { projectId: projectRowId, id: { in: ids } } });
  }

  /** Deletes scores that wait. */
  async deleteWaiting(projectRowId: string, ids: string[]): Promise<void> {
    await this.database.client.waitingScore.deleteMany({ where: { projectId: projectRowId, id: { in: ids } } });
  }
}
