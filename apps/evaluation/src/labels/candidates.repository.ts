import { asText, callField, type CallSelection, fromSelection, isAmongValues } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { callsOf, judgedOf, type VerdictSource } from '../truth/judged.sql.js';
import type { DrawableCall } from './label-draw.js';

const MAX_STRATUM = 256;

/** A judged call, and what is known of its label. */
export interface Candidate extends DrawableCall {
  /** JSON text of what stands where the truth has its labels; null: nothing. */
  readonly label: string | null;
  /** Whether a label queue drew it before. */
  readonly wasDrawn: boolean;
}

/** Judged calls that may be drawn for labelling. */
@Injectable()
export class CandidatesRepository {
  constructor(private readonly database: Database) {}

  /** The newest first. @param strata field of calls; null: all are one stratum */
  async find(
    selection: CallSelection,
    source: VerdictSource,
    strata: string | null,
    limit: number,
  ): Promise<Candidate[]> {
    const field = strata === null ? undefined : callField(strata);
    const needsValues = selection.needsValues || (strata !== null && isAmongValues(strata));
    const stratum = field
      ? Prisma.sql`left(${asText(field, selection.refScheme)}, ${MAX_STRATUM}::int)`
      : Prisma.sql`''`;
    return this.database.client.$queryRaw<Candidate[]>`
      WITH judged AS MATERIALIZED (${judgedOf(selection, source)}), drawn AS MATERIALIZED (
        SELECT DISTINCT d.call_id FROM label_queues q JOIN label_draws d ON d.project_id = q.project_id AND d.queue_id = q.queue_id
        WHERE q.project_id = ${selection.projectRowId}::uuid AND q.feedback_type = ${source.truth?.feedback_type ?? null}
          AND d.is_drawn AND NOT d.is_known)
      SELECT c.id AS "callId", judged.verdict, judged.spread, judged.label, coalesce(${stratum}, '') AS stratum,
        EXISTS (SELECT FROM drawn WHERE drawn.call_id = c.id) AS "wasDrawn"
      ${fromSelection({ ...selection, needsValues }, Prisma.empty, callsOf(selection.projectRowId))}
      ORDER BY c.started_at DESC, c.id DESC LIMIT ${limit}`;
  }
}
