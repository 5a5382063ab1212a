import { IS_SHOWN } from '@hone/call-queries';
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

  /**
   * Deletes scores that wait for calls which are being erased: those of their spans, and those of traces whose root or last call
   * is among them.
   */
  async eraseWaitingFor(projectRowId: string, callIds: readonly string[]): Promise<number> {
    return this.database.client.$executeRaw`
      DELETE FROM waiting_scores w USING calls erased
      WHERE w.project_id = ${projectRowId}::uuid AND erased.project_id = w.project_id AND erased.id = ANY(${[...callIds]})
        AND ((w.span_id IS NOT NULL AND erased.id IN (w.span_id, w.trace_id || '-' || w.span_id)
              AND (w.trace_id IS NULL OR w.trace_id = erased.trace_id))
          OR (w.span_id IS NULL AND w.trace_id = erased.trace_id AND (erased.parent_id IS NULL OR NOT EXISTS (
              SELECT FROM calls c WHERE c.project_id = w.project_id AND c.trace_id = w.trace_id AND ${IS_SHOWN}
                AND c.id <> ALL(${[...callIds]})))))`;
  }
}
