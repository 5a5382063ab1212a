import { asText, callField, type CallSelection, fromSelection, isAmongValues } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { callsOf, drawsOf, judgedOf, type VerdictSource } from '../truth/judged.sql.js';
import type { CallDraw } from '../truth/verdict-groups.js';
import type { DrawableCall } from './label-draw.js';

const MAX_STRATUM = 256;

/** A judged call, and what is known of its label. */
export interface Candidate extends DrawableCall {
  /** JSON text of what stands where the truth has its labels; null: nothing. */
  readonly label: string | null;
  /** By label queues before. Null: none could draw it. */
  readonly draws: readonly CallDraw[] | null;
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
    // As one value: to decode ten thousand rows would hold up other requests.
    const [all] = await this.database.client.$queryRaw<{ found: Candidate[] }[]>`
      WITH judged AS MATERIALIZED (${judgedOf(selection, source)}), draws AS MATERIALIZED (${drawsOf(selection.projectRowId, source)})
      SELECT coalesce(json_agg(found), '[]') AS found FROM (
        SELECT c.id AS "callId", judged.verdict, judged.spread, judged.label, coalesce(${stratum}, '') AS stratum,
          draws.of_call AS draws
      ${fromSelection(
        { ...selection, needsValues },
        Prisma.sql`LEFT JOIN draws ON draws.call_id = c.id`,
        callsOf(selection.projectRowId),
      )}
      ORDER BY c.started_at DESC, c.id DESC LIMIT ${limit}) found`;
    return (all as { found: Candidate[] }).found;
  }
}
