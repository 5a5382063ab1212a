import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { RatedItem } from './rating.js';

/** Which ratings of a queue are meant. */
export interface RatingSource {
  projectRowId: string;
  /** `<entity>/<project>`. */
  projectId: string;
  queueId: string;
  /** Of the annotation. */
  name: string;
}

interface RatingRow {
  callId: string;
  annotator: string;
  value: string;
}

interface ItemRow {
  id: string;
  callId: string;
  createdAt: Date;
}

const BATCH_ROWS = 1_000;
/** Longer values are told apart by their hash: there may be many of them. */
const MAX_VALUE_CHARACTERS = 64;

/** What annotators said of the items of a queue: the newest value of each annotator for each item. */
@Injectable()
export class RatingRepository {
  constructor(private readonly database: Database) {}

  /** Reads item after item, in any order, those without a rating left out. @param onItem gets when each was added, too */
  async stream(source: RatingSource, onItem: (item: RatedItem, createdAt: Date) => Promise<void>): Promise<void> {
    let current: { row: ItemRow; ratings: RatedItem['ratings'][number][] } | undefined;
    const end = async () => current && onItem({ id: current.row.id, ratings: current.ratings }, current.row.createdAt);
    const same = interning();
    await this.database.stream<RatingRow>(toSql(source), { batchRows: BATCH_ROWS }, async (rows) => {
      const items = await this.findItems(source, [...new Set(rows.map(({ callId }) => callId))]);
      for (const { callId, annotator, value } of rows) {
        const row = items.get(callId);
        if (!row) continue;
        if (current?.row.id !== row.id) {
          await end();
          current = { row, ratings: [] };
        }
        current.ratings.push({ annotator: same(annotator), value: same(value) });
      }
    });
    await end();
  }

  /**
   * The items of calls. Not by a join: as long as the tables have no statistics, Postgres may read all items for each
   * rating.
   */
  private async findItems({ projectRowId, queueId }: RatingSource, callIds: string[]): Promise<Map<string, ItemRow>> {
    const rows = await this.database.client.$queryRaw<ItemRow[]>`
      SELECT id, call_id AS "callId", created_at AS "createdAt" FROM annotation_queue_items
      WHERE project_id = ${projectRowId}::uuid AND queue_id = ${queueId} AND call_id = ANY(${callIds}) AND deleted_at IS NULL`;
    return new Map(rows.map((row) => [row.callId, row]));
  }
}

/** @returns a function that gives one and the same string for equal ones, so that each is in memory once */
function interning(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, text);
    return text;
  };
}

function toSql({ projectRowId, projectId, queueId, name }: RatingSource): Prisma.Sql {
  const [entity, project] = projectId.split('/') as [string, string];
  // Refs are stored as they were sent: a project in them may be percent-encoded.
  const prefixes = [...new Set([projectId, `${entity}/${encodeURIComponent(project)}`])];
  return Prisma.sql`
    SELECT "callId", annotator, CASE WHEN length(text) <= ${MAX_VALUE_CHARACTERS} THEN text ELSE 'md5 ' || md5(text) END AS value
    FROM (
      SELECT DISTINCT ON ("callId", svc_user_id) split_part(trace_ref, '/', 4) AS "callId", svc_user_id AS annotator,
        CASE jsonb_typeof(payload_json->'value') WHEN 'null' THEN NULL
          WHEN 'number' THEN trim_scale((payload_json->'value')::numeric)::text
          ELSE (payload_json->'value')::text END AS text
      FROM feedback
      WHERE project_id = ${projectRowId}::uuid AND queue_id = ${queueId} AND feedback_type = ${`hone.annotation.${name}`}
        AND split_part(trace_ref, '/', 3) = 'call'
        AND split_part(trace_ref, '/', 1) || '/' || split_part(trace_ref, '/', 2) = ANY(${prefixes})
      ORDER BY "callId", svc_user_id, created_at DESC, id DESC
    ) AS newest
    WHERE text IS NOT NULL
    ORDER BY "callId", annotator`;
}
