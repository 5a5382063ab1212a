import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { FeedbackOwner } from '../feedback-change.repository.js';

/** Keeps the records that were replaced, each under the id of the one in its place now. */
@Injectable()
export class FeedbackRevisionRepository {
  constructor(private readonly database: Database) {}

  /** Keeps a record that is about to be replaced, still under its own id. Needs its lock. */
  async keep(projectRowId: string, id: string, actorId: string, reason: string | null): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO feedback_revisions (project_id, id, revision, record_id, record, replaced_at, replaced_by, reason)
      SELECT f.project_id, f.id, coalesce(
          (SELECT max(r.revision) + 1 FROM feedback_revisions r WHERE r.project_id = ${projectRowId}::uuid AND r.id = ${id}), 0),
        f.id, to_jsonb(f) - 'payload_json', statement_timestamp(), ${actorId}::uuid, ${reason}
      FROM feedback f WHERE f.project_id = ${projectRowId}::uuid AND f.id = ${id}`;
  }

  /** Gives the revisions of one record to the one that is in its place now, after those that it has. */
  async move(projectRowId: string, from: string, to: string): Promise<void> {
    if (from === to) return;
    await this.database.client.$executeRaw`
      UPDATE feedback_revisions SET id = ${to}, revision = revision + coalesce(
        (SELECT max(r.revision) + 1 FROM feedback_revisions r WHERE r.project_id = ${projectRowId}::uuid AND r.id = ${to}), 0)
      WHERE project_id = ${projectRowId}::uuid AND id = ${from}`;
  }

  /** Replaced records with these ids. */
  async findOwners(projectRowId: string, ids: string[]): Promise<FeedbackOwner[]> {
    return this.database.client.$queryRaw<FeedbackOwner[]>`
      SELECT DISTINCT record_id AS id, record->>'svc_user_id' AS "svcUserId" FROM feedback_revisions
      WHERE project_id = ${projectRowId}::uuid AND record_id = ANY(${ids})`;
  }

  /** Deletes what these records replaced, and what was stored under their ids before it was replaced. */
  async delete(projectRowId: string, ids: string[]): Promise<void> {
    await this.database.client.feedbackRevision.deleteMany({
      where: { projectId: projectRowId, OR: [{ id: { in: ids } }, { recordId: { in: ids } }] },
    });
  }

  /** Id of the record whose history one with this id is in; null: there is none, and never was. */
  async findCurrent(projectRowId: string, id: string): Promise<string | null> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      (SELECT id FROM feedback WHERE project_id = ${projectRowId}::uuid AND id = ${id})
      UNION ALL
      (SELECT id FROM feedback_revisions WHERE project_id = ${projectRowId}::uuid AND record_id = ${id}
       ORDER BY replaced_at DESC, revision DESC LIMIT 1)`;
    return rows[0]?.id ?? null;
  }
}
