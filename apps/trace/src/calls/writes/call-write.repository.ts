import { Injectable } from '@nestjs/common';
import { RawJson, stringifyJson } from '@hone/contracts';
import { Database, newId, Prisma } from '@hone/database';

import { ValueRepository } from '../values/value.repository.js';
import type { CallDraft, CallEnd, CallStart, JsonDraft } from './call.record.js';

/** Most calls, and about the most bytes of their values, that one statement stores. */
const STATEMENT_ROWS = 1_000;
const STATEMENT_BYTES = 4 * 1_048_576;

/** Columns of each half, and their types in the statement's parameter. */
const START_COLUMNS = {
  ...{ op_name: 'text', display_name: 'text', trace_id: 'text', parent_id: 'text', thread_id: 'text', turn_id: 'text' },
  ...{ started_at: 'timestamptz', attributes_text: 'text', attributes_blob: 'text', attributes_json: 'jsonb' },
  ...{ inputs_text: 'text', inputs_blob: 'text', input_refs: 'text[]', run_id: 'text', run_step: 'int' },
};
const END_COLUMNS = {
  ...{ ended_at: 'timestamptz', exception: 'text', output_text: 'text', output_blob: 'text', output_refs: 'text[]' },
  ...{ summary_text: 'text', summary_blob: 'text', summary_json: 'jsonb', run_step_end: 'int' },
};
const COLUMNS = { project_id: 'uuid', id: 'text', svc_user_id: 'uuid', ...START_COLUMNS, ...END_COLUMNS };

const NAMES = Prisma.raw(Object.keys(COLUMNS).join(', '));
const TYPES = Prisma.raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
);
/** A half that was sent replaces the stored one; the other half is untouched. */
const replaced = (columns: object, sent: string) =>
  Object.keys(columns)
    .filter((name) => name !== 'trace_id')
    .map((name) => `${name} = CASE WHEN excluded.${sent} IS NOT NULL THEN excluded.${name} ELSE calls.${name} END`);
const REPLACED = Prisma.raw(
  [...replaced(START_COLUMNS, 'started_at'), ...replaced(END_COLUMNS, 'ended_at')].join(', '),
);

interface StoredCall {
  projectRowId: string;
  id: string;
  traceId: string;
}

/** Calls. A half that comes again replaces that half; the other half is untouched. */
@Injectable()
export class CallRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /**
   * Stores calls, or the halves of them that there are, a thousand in a statement. An end without its start is kept but
   * not shown. Needs a transaction.
   *
   * @param calls each once, in an order that is the same for everybody, so that two batches never deadlock
   * @param rowIds row ids of the projects
   * @returns the trace ids of the calls, in their order; null of an end without a start
   */
  async save(calls: CallDraft[], rowIds: ReadonlyMap<string, string>): Promise<(string | null)[]> {
    const traceIds: (string | null)[] = [];
    for (let at = 0; at < calls.length;) {
      const rows: string[] = [];
      const madeTraceIds: string[] = [];
      for (let bytes = 0; at < calls.length && rows.length < STATEMENT_ROWS && bytes < STATEMENT_BYTES; at++) {
        const call = calls[at] as CallDraft;
        const row = stringifyJson(await this.#toRow(rowIds.get(call.projectId) as string, call, madeTraceIds));
        bytes += row.length;
        rows.push(row);
      }
      const stored = await this.#saveRows(rows, madeTraceIds);
      const byKey = new Map(stored.map(({ projectRowId, id, traceId }) => [`${projectRowId} ${id}`, traceId]));
      for (const { projectId, id } of calls.slice(at - rows.length, at))
        traceIds.push(byKey.get(`${rowIds.get(projectId)} ${id}`) ?? null);
    }
    return traceIds;
  }

  #saveRows(rows: string[], madeTraceIds: string[]): Promise<StoredCall[]> {
    return this.database.client.$queryRaw<StoredCall[]>`
      INSERT INTO calls (${NAMES})
      SELECT ${NAMES} FROM json_to_recordset(${`[${rows.join(',')}]`}::json) AS row (${TYPES})
      ON CONFLICT (project_id, id) DO UPDATE SET ${REPLACED}, trace_id = CASE
        WHEN excluded.started_at IS NULL THEN calls.trace_id
        WHEN excluded.trace_id = ANY(${madeTraceIds}) THEN coalesce(calls.trace_id, excluded.trace_id)
        ELSE excluded.trace_id END
      RETURNING project_id AS "projectRowId", id, trace_id AS "traceId"`;
  }

  async #toRow(
    projectRowId: string,
    { id, svcUserId, start, end }: CallDraft,
    madeTraceIds: string[],
  ): Promise<Partial<Record<keyof typeof COLUMNS, unknown>>> {
    return {
      ...{ project_id: projectRowId, id, svc_user_id: svcUserId },
      ...(start && (await this.#toStartColumns(projectRowId, start, madeTraceIds))),
      ...(end && (await this.#toEndColumns(projectRowId, end))),
    };
  }

  async #toStartColumns(projectRowId: string, start: CallStart, madeTraceIds: string[]) {
    const attributes = await this.#store(projectRowId, start.attributes);
    const inputs = await this.#store(projectRowId, start.inputs);
    const traceId = start.traceId ?? newId();
    if (start.traceId === null) madeTraceIds.push(traceId);
    return {
      op_name: start.opName,
      display_name: start.displayName,
      trace_id: traceId,
      parent_id: start.parentId,
      thread_id: start.threadId,
      turn_id: start.turnId,
      started_at: start.startedAt,
      attributes_text: attributes.text,
      attributes_blob: attributes.blob,
      attributes_json: attributes.json,
      inputs_text: inputs.text,
      inputs_blob: inputs.blob,
      input_refs: start.inputs.refs,
      run_id: start.runId,
      run_step: start.runStep,
    };
  }

  async #toEndColumns(projectRowId: string, end: CallEnd) {
    const output = await this.#store(projectRowId, end.output);
    const summary = await this.#store(projectRowId, end.summary);
    return {
      ended_at: end.endedAt,
      exception: end.exception,
      output_text: output.text,
      output_blob: output.blob,
      output_refs: end.output.refs,
      summary_text: summary.text,
      summary_blob: summary.blob,
      summary_json: summary.json,
      run_step_end: end.runStepEnd,
    };
  }

  async #store(projectRowId: string, { text, searchable }: JsonDraft) {
    return {
      ...(await this.values.put(projectRowId, text)),
      json: searchable === null ? null : new RawJson(searchable),
    };
  }
}
