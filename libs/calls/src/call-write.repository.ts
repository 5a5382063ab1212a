import { Injectable } from '@nestjs/common';
import { byCodePoint } from '@hone/contracts';
import { Database, newId, Prisma } from '@hone/database';

import type { CallDraft } from './call-halves.record.js';
import { toJsonRow } from './call-row.js';
import {
  CALL_COLUMNS,
  type CallRows,
  END_COLUMNS,
  END_VALUES,
  hasLargeValue,
  names,
  putLargeValues,
  rowsOf,
  sources,
  START_COLUMNS,
  START_VALUES,
  textOf,
  VALUE_COLUMNS,
  valuesOf,
} from './call-rows.sql.js';
import { ValueRepository } from './values/value.repository.js';

/** Most calls, and about the most bytes of their values, that one statement stores. */
const STATEMENT_ROWS = 1_000;
const STATEMENT_BYTES = 4 * 1_048_576;

/** A half that was sent replaces the stored one; the other half is untouched. */
const replaced = (table: string, columns: object, isSent: string) =>
  Object.keys(columns)
    .map((name) => `${name} = CASE WHEN ${isSent} THEN excluded.${name} ELSE ${table}.${name} END`)
    .join(', ');
const REPLACED_CALL = Prisma.raw(
  `${replaced('calls', START_COLUMNS, 'excluded.started_at IS NOT NULL')},
   ${replaced('calls', END_COLUMNS, 'excluded.ended_at IS NOT NULL')}`,
);
/** Each half has a value that is never absent. */
const REPLACED_VALUES = Prisma.raw(
  `${replaced('v', START_VALUES, '(excluded.inputs_text IS NOT NULL OR excluded.inputs_blob IS NOT NULL)')},
   ${replaced('v', END_VALUES, '(excluded.summary_text IS NOT NULL OR excluded.summary_blob IS NOT NULL)')}`,
);

interface StoredCall {
  projectRowId: string;
  id: string;
  traceId: string | null;
}

/** Writes of calls. A half that comes again replaces that half; the other half is untouched. */
@Injectable()
export class CallWriteRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /**
   * Stores calls, or the halves of them that there are, a thousand in a statement: all or none. An end without its start
   * is kept but not shown. Halves of one call, the last of each half counts, are put together.
   *
   * @returns the trace ids of the calls, in the order of the drafts; null of an end without a start
   */
  async save(drafts: CallDraft[]): Promise<(string | null)[]> {
    // In an order that is the same for everybody, so that two batches never deadlock.
    const calls = merge(drafts).sort((a, b) => byCodePoint(a.projectRowId, b.projectRowId) || byCodePoint(a.id, b.id));
    // Chunks of large values, and the statements of a large batch, are stored together or not at all.
    const traceIds = calls.some(hasLargeValue)
      ? await this.database.transaction(async () => this.#saveAll(await this.#toStatements(calls)))
      : await this.#saveTogether(await this.#toStatements(calls));
    return drafts.map((draft) => traceIds.get(keyOf(draft)) ?? null);
  }

  #saveTogether(statements: CallRows[]): Promise<Map<string, string | null>> {
    if (statements.length === 1) return this.#saveAll(statements);
    return this.database.transaction(() => this.#saveAll(statements));
  }

  async #toStatements(calls: CallDraft[]): Promise<CallRows[]> {
    const statements: CallRows[] = [];
    const chunks = await putLargeValues(calls, this.values);
    for (let at = 0; at < calls.length;) {
      const statement: CallRows = { calls: [], rows: [], chunks };
      for (
        let bytes = 0;
        at < calls.length && statement.rows.length < STATEMENT_ROWS && bytes < STATEMENT_BYTES;
        at++
      ) {
        const call = calls[at] as CallDraft;
        const row = toJsonRow(call, newId, chunks);
        statement.calls.push(call);
        statement.rows.push(row);
        bytes += valuesOf(call).reduce((sum, value) => sum + (textOf(value, chunks)?.length ?? 0), row.length);
      }
      statements.push(statement);
    }
    return statements;
  }

  async #saveAll(statements: CallRows[]): Promise<Map<string, string | null>> {
    const traceIds = new Map<string, string | null>();
    for (const statement of statements) await this.#saveRows(statement, traceIds);
    return traceIds;
  }

  /** What a start says of its trace is so; only where one says nothing, or is not there, the stored call is asked. */
  async #saveRows(statement: CallRows, traceIds: Map<string, string | null>): Promise<void> {
    const { calls } = statement;
    const upserted = upsert(statement);
    for (const call of calls) if (call.start?.traceId) traceIds.set(keyOf(call), call.start.traceId);
    if (calls.every(({ start }) => start === null || start.traceId !== null)) {
      await this.database.executeBulk(upserted);
      return;
    }
    const stored = await this.database.queryBulk<StoredCall>(
      Prisma.sql`${upserted} RETURNING project_id AS "projectRowId", id, trace_id AS "traceId"`,
    );
    for (const call of stored) traceIds.set(keyOf(call), call.traceId);
  }
}

const upsert = (statement: CallRows): Prisma.Sql => Prisma.sql`
  WITH row AS MATERIALIZED (SELECT * FROM ${rowsOf(statement)}),
  stored AS (
    INSERT INTO call_values AS v (${names(VALUE_COLUMNS)}) SELECT ${sources(VALUE_COLUMNS)} FROM row
    ON CONFLICT (project_id, id) DO UPDATE SET ${REPLACED_VALUES})
  INSERT INTO calls (${names(CALL_COLUMNS)}) SELECT ${sources(CALL_COLUMNS)} FROM row
  ON CONFLICT (project_id, id) DO UPDATE SET ${REPLACED_CALL},
    erased_at = NULL, -- what comes late of a deleted call is erased by the next run
    display_name = coalesce(excluded.display_name, calls.display_name),
    trace_id = CASE WHEN excluded.started_at IS NULL THEN calls.trace_id
      WHEN calls.trace_id IS NOT NULL AND excluded.trace_id IN (SELECT tr FROM row WHERE tm) THEN calls.trace_id
      ELSE excluded.trace_id END`;

const keyOf = ({ projectRowId, id }: { projectRowId: string; id: string }): string => `${projectRowId} ${id}`;

/** Each call once, with the last of each half that the drafts have of it. */
function merge(drafts: CallDraft[]): CallDraft[] {
  const calls = new Map<string, CallDraft>();
  for (const draft of drafts) {
    const known = calls.get(keyOf(draft));
    if (!known) calls.set(keyOf(draft), draft);
    else calls.set(keyOf(draft), { ...known, start: laterStart(known, draft), end: draft.end ?? known.end });
  }
  return [...calls.values()];
}

/** A start that names no trace or no display name leaves what an earlier start named. */
const laterStart = ({ start: earlier }: CallDraft, { start }: CallDraft): CallDraft['start'] =>
  start
    ? {
        ...start,
        traceId: start.traceId ?? earlier?.traceId ?? null,
        displayName: start.displayName ?? earlier?.displayName ?? null,
      }
    : earlier;
