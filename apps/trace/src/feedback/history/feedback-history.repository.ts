import type { Readable } from 'node:stream';

import { FEEDBACK_NAMES } from '@hone/call-queries';
import { RawJson, stringifyJson } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { jsonList } from '../../streams/json-list.js';
import { FeedbackQueryRepository, type FeedbackRow, selectOf } from '../query/feedback-query.repository.js';

type RevisionRow = FeedbackRow & { revision: number; replacedAt: Date; replacedBy: string; reason: string | null };

/** `/feedback/history`: the records that one replaced. */
@Injectable()
export class FeedbackHistoryRepository {
  constructor(
    private readonly database: Database,
    private readonly records: FeedbackQueryRepository,
  ) {}

  /** The whole answer. */
  query(projectRowId: string, projectId: string, id: string, refScheme: string): Promise<RawJson | Readable> {
    return jsonList<RevisionRow>(this.database, {
      query: Prisma.sql`
        SELECT r.revision, r.replaced_at AS "replacedAt", r.replaced_by AS "replacedBy", r.reason, ${selectOf(FEEDBACK_NAMES)}
        FROM feedback_revisions r, jsonb_populate_record(NULL::feedback, r.record) AS f,
          (SELECT ${projectId}::text AS project_id) AS p
        WHERE r.project_id = ${projectRowId}::uuid AND r.id = ${id} ORDER BY r.revision`,
      limit: undefined,
      head: '{"revisions":[',
      tail: () => ']}',
      toText: async ({ revision, replacedAt, replacedBy, reason, ...row }) =>
        stringifyJson({
          revision,
          replaced_at: replacedAt.toISOString(),
          replaced_by: replacedBy,
          reason,
          record: new RawJson(stringifyJson(await this.records.toRecord(projectRowId, FEEDBACK_NAMES, row, refScheme))),
        }),
    });
  }
}
