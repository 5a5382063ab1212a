import { type CallSelection, fromSelection, refOfCall } from '@hone/call-queries';
import { ValueRepository } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { grouped } from '../grouped.js';
import type { Judgement, SourceCall } from './source-call.js';

/** Calls that are in memory at once; one has up to a megabyte beside what is in chunks. */
const BATCH_ROWS = 32;
/** Values of a call together: to read more would hold up other requests for more than a fifth of a second. */
const MAX_BYTES = 1.5 * 1_048_576;
/** The newest judgements of a call count; a payload beyond this gives no reward. */
const MAX_JUDGEMENTS = 64;
const MAX_PAYLOAD_CHARACTERS = 8_192;
const VALUES = ['attributes', 'inputs', 'output'] as const;
type Value = (typeof VALUES)[number];

type ValueColumns = Record<`${Value}_text` | `${Value}_blob`, string | null>;
interface CallRow extends ValueColumns {
  id: string;
  thread_id: string | null;
  has_ended: boolean;
  has_failed: boolean;
  bytes: number;
}
interface JudgementRow extends Judgement {
  call_id: string;
}
interface CorrectionRow {
  call_id: string;
  text: string | null;
  blob: string | null;
}

/** What is asked for beside the calls. */
export interface SourceOptions {
  readonly limit: number;
  /** Types of the feedback that may hold rewards; null: any. */
  readonly feedbackTypes: readonly string[] | null;
  readonly withCorrections: boolean;
}

const VALUE_COLUMNS = Prisma.raw(VALUES.flatMap((name) => [`s.${name}_text`, `s.${name}_blob`]).join(', '));

/** Reads calls with the feedback on them. */
@Injectable()
export class CallsSourceRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Reads calls in the order of (started_at, id); `onCall` has dealt with one before it gets the next. */
  async read(
    selection: CallSelection,
    options: SourceOptions,
    onCall: (call: SourceCall) => Promise<void>,
  ): Promise<void> {
    const query = Prisma.sql`
      SELECT c.*, ${VALUE_COLUMNS} FROM (
        SELECT c.project_id, c.id, c.thread_id, c.ended_at IS NOT NULL AS has_ended, c.exception IS NOT NULL AS has_failed,
          (c.start_bytes + c.end_bytes)::float8 AS bytes
        ${fromSelection(selection)} ORDER BY c.started_at ASC, c.id ASC LIMIT ${options.limit}
      ) c LEFT JOIN LATERAL (
        SELECT * FROM call_values s WHERE s.project_id = c.project_id AND s.id = c.id LIMIT 1
      ) s ON true`;
    await this.database.stream<CallRow>(query, { batchRows: BATCH_ROWS }, async (rows) => {
      const ids = rows.map(({ id }) => id);
      const judgements = await this.judgements(selection, ids, options);
      const corrections = options.withCorrections ? await this.corrections(selection, ids) : new Map<string, string>();
      for (const row of rows) {
        await onCall({
          id: row.id,
          threadId: row.thread_id,
          hasEnded: row.has_ended,
          hasFailed: row.has_failed,
          bytes: row.bytes,
          values: row.bytes > MAX_BYTES ? null : await this.texts(selection.projectRowId, row),
          judgements: judgements.get(row.id) ?? [],
          correction: corrections.get(row.id) ?? null,
        });
      }
    });
  }

  private async texts(projectRowId: string, row: CallRow): Promise<Record<Value, string>> {
    const texts = { attributes: '{}', inputs: '{}', output: 'null' };
    for (const name of VALUES) {
      const stored = { text: row[`${name}_text`], blob: row[`${name}_blob`] };
      texts[name] = (await this.values.get(projectRowId, stored)) ?? texts[name];
    }
    return texts;
  }

  private async judgements(
    { projectId, projectRowId }: CallSelection,
    ids: string[],
    { feedbackTypes }: SourceOptions,
  ): Promise<Map<string, Judgement[]>> {
    const ofTypes = feedbackTypes ? Prisma.sql`AND f.feedback_type = ANY (${[...feedbackTypes]})` : Prisma.empty;
    const rows = await this.database.client.$queryRaw<JudgementRow[]>`
      SELECT r.id AS call_id, f.feedback_type AS "feedbackType", f.runnable_ref AS "runnableRef",
        f.svc_user_id::text AS "svcUserId", f.scorer_tags AS tags, f.scorer_ratings AS ratings,
        CASE WHEN length(f.payload_text) <= ${MAX_PAYLOAD_CHARACTERS} THEN f.payload_text END AS payload
      FROM unnest(${ids}::text[]) AS r(id) CROSS JOIN LATERAL (
        SELECT * FROM feedback f WHERE f.project_id = ${projectRowId}::uuid
          AND f.trace_ref = ${refOfCall(projectId, Prisma.sql`r.id`)} ${ofTypes}
        ORDER BY f.created_at DESC, f.id DESC LIMIT ${MAX_JUDGEMENTS}) f
      ORDER BY f.created_at, f.id`;
    return grouped(rows, ({ call_id }) => call_id);
  }

  private async corrections({ projectId, projectRowId }: CallSelection, ids: string[]): Promise<Map<string, string>> {
    const rows = await this.database.client.$queryRaw<CorrectionRow[]>`
      SELECT r.id AS call_id, f.payload_text AS text, f.payload_blob AS blob
      FROM unnest(${ids}::text[]) AS r(id) CROSS JOIN LATERAL (
        SELECT * FROM feedback f WHERE f.project_id = ${projectRowId}::uuid
          AND f.trace_ref = ${refOfCall(projectId, Prisma.sql`r.id`)} AND f.feedback_type = 'hone.correction.1'
        ORDER BY f.created_at DESC, f.id DESC LIMIT 1) f`;
    const found = new Map<string, string>();
    for (const { call_id: id, text, blob } of rows) {
      const payload = await this.values.get(projectRowId, { text, blob });
      if (payload !== null) found.set(id, payload);
    }
    return found;
  }
}
