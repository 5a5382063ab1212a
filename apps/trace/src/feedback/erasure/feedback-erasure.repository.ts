import { markErased } from '@hone/calls';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Deletes records for good. */
@Injectable()
export class FeedbackErasureRepository {
  constructor(private readonly database: Database) {}

  /**
   * Deletes what was said about calls, with the history of it, in the ambient transaction. Chunks of large payloads, and
   * files that payloads name, are marked.
   *
   * @returns how many records
   */
  async eraseAbout(projectRowId: string, callIds: readonly string[]): Promise<number> {
    return this.database.client.$executeRaw`
      WITH refs AS (
        SELECT e.name || '/' || p.name || '/call/' || unnest(${[...callIds]}::text[]) AS ref
        FROM projects p JOIN entities e ON e.id = p.entity_id WHERE p.id = ${projectRowId}::uuid),
      about AS MATERIALIZED (
        SELECT f.id, f.payload_text, f.payload_blob FROM refs JOIN feedback f
          ON f.project_id = ${projectRowId}::uuid AND f.trace_ref = refs.ref),
      replaced AS (
        DELETE FROM feedback_revisions r USING about
        WHERE r.project_id = ${projectRowId}::uuid AND (r.id = about.id OR r.record_id = about.id)
        RETURNING record->>'payload_text' AS payload_text, record->>'payload_blob' AS payload_blob),
      erased (text, blob) AS (SELECT payload_text, payload_blob FROM about UNION ALL SELECT * FROM replaced),
      marks AS (${markErased(projectRowId)})
      DELETE FROM feedback f USING about WHERE f.project_id = ${projectRowId}::uuid AND f.id = about.id`;
  }
}
