import { byCodePoint, type FeedbackPayloadPathDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { type FeedbackSelection, toConditions } from './feedback-selection.sql.js';

/** Which records are looked at: the newest of a selection. */
export interface PayloadSample extends FeedbackSelection {
  limit: number;
}

interface PathRow {
  path: string[];
  types: string[];
}

const MAX_LEVELS = 32;
const MAX_PATHS = 1_000;
const VALUE_TYPES: Record<string, FeedbackPayloadPathDto['value_type']> = { number: 'numeric', boolean: 'boolean' };

/** What the payloads of recent feedback are made of. */
@Injectable()
export class PayloadSchemaRepository {
  constructor(private readonly database: Database) {}

  /** Places with values in the newest records of a sample, those that most records have, by code point. */
  async list(projectRowId: string, sample: PayloadSample): Promise<FeedbackPayloadPathDto[]> {
    const rows = await this.database.client.$queryRaw<PathRow[]>`
      WITH RECURSIVE recent AS (
        SELECT f.payload_json AS payload FROM feedback f
        WHERE f.project_id = ${projectRowId}::uuid ${toConditions(sample)}
        ORDER BY f.created_at DESC, f.id DESC LIMIT ${sample.limit}
      ), place (path, value) AS (
        SELECT ARRAY[e.key], e.value FROM recent CROSS JOIN LATERAL jsonb_each(${objectOf(Prisma.sql`payload`)}) e
        UNION ALL
        SELECT place.path || e.key, e.value FROM place CROSS JOIN LATERAL jsonb_each(${objectOf(Prisma.sql`place.value`)}) e
        WHERE cardinality(place.path) < ${MAX_LEVELS}
      )
      SELECT path, array_agg(DISTINCT jsonb_typeof(value)) AS types FROM place
      WHERE jsonb_typeof(value) IN ('number', 'boolean', 'string')
      GROUP BY path ORDER BY count(*) DESC, path LIMIT ${MAX_PATHS}`;
    const places = rows.map(({ path, types }) => ({
      json_path: path.map((key) => key.replaceAll('.', '\\.')).join('.'),
      value_type: (types.length === 1 && VALUE_TYPES[types[0] as string]) || ('categorical' as const),
    }));
    return places.sort((a, b) => byCodePoint(a.json_path, b.json_path));
  }
}

const objectOf = (json: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE jsonb_typeof(${json}) WHEN 'object' THEN ${json} ELSE '{}'::jsonb END`;
