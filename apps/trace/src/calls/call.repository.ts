import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonValue, parseRef, searchableText, stringifyJson, withoutScheme } from '@hone/contracts';
import { Database, newId } from '@hone/database';

import { ValueRepository } from '../values/value.repository.js';
import type { CallEnd, CallStart } from './call.record.js';

/** A value as its columns hold it. */
interface Columns {
  text: string | null;
  blob: string | null;
  /** Copy for search; null for a large value. */
  json: string | null;
}

/** Calls. A half that comes again replaces that half; the other half is untouched. */
@Injectable()
export class CallRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Stores the first half; returns the call's trace id. */
  async saveStart(projectRowId: string, start: CallStart): Promise<string> {
    const attributes = await this.#toColumns(projectRowId, start.attributes);
    const inputs = await this.#toColumns(projectRowId, start.inputs);
    const rows = await this.database.client.$queryRaw<{ traceId: string }[]>`
      INSERT INTO calls (project_id, id, op_name, display_name, trace_id, parent_id, thread_id, turn_id, started_at,
        attributes_text, attributes_blob, attributes_json, inputs_text, inputs_blob, input_refs, svc_user_id, run_id, run_step)
      VALUES (${projectRowId}::uuid, ${start.id}, ${start.opName}, ${start.displayName}, ${start.traceId ?? newId()},
        ${start.parentId}, ${start.threadId}, ${start.turnId}, ${start.startedAt}, ${attributes.text}, ${attributes.blob},
        ${attributes.json}::jsonb, ${inputs.text}, ${inputs.blob}, ${refsIn(start.inputs)}, ${start.svcUserId}::uuid,
        ${start.runId}, ${start.runStep})
      ON CONFLICT (project_id, id) DO UPDATE SET op_name = excluded.op_name, display_name = excluded.display_name,
        trace_id = coalesce(${start.traceId}, calls.trace_id, excluded.trace_id), parent_id = excluded.parent_id,
        thread_id = excluded.thread_id, turn_id = excluded.turn_id, started_at = excluded.started_at,
        attributes_text = excluded.attributes_text, attributes_blob = excluded.attributes_blob,
        attributes_json = excluded.attributes_json, inputs_text = excluded.inputs_text, inputs_blob = excluded.inputs_blob,
        input_refs = excluded.input_refs, run_id = excluded.run_id, run_step = excluded.run_step
      RETURNING trace_id AS "traceId"`;
    return (rows[0] as { traceId: string }).traceId;
  }

  /** Stores the second half; without its first half the call is kept but not shown. */
  async saveEnd(projectRowId: string, end: CallEnd): Promise<void> {
    const output = await this.#toColumns(projectRowId, end.output);
    const summary = await this.#toColumns(projectRowId, end.summary);
    await this.database.client.$executeRaw`
      INSERT INTO calls (project_id, id, ended_at, exception, output_text, output_blob, output_refs, summary_text,
        summary_blob, summary_json, run_step_end, svc_user_id)
      VALUES (${projectRowId}::uuid, ${end.id}, ${end.endedAt}, ${end.exception}, ${output.text}, ${output.blob},
        ${refsIn(end.output)}, ${summary.text}, ${summary.blob}, ${summary.json}::jsonb, ${end.runStepEnd}, ${end.svcUserId}::uuid)
      ON CONFLICT (project_id, id) DO UPDATE SET ended_at = excluded.ended_at, exception = excluded.exception,
        output_text = excluded.output_text, output_blob = excluded.output_blob, output_refs = excluded.output_refs,
        summary_text = excluded.summary_text, summary_blob = excluded.summary_blob, summary_json = excluded.summary_json,
        run_step_end = excluded.run_step_end`;
  }

  async #toColumns(projectRowId: string, value: JsonValue): Promise<Columns> {
    const exact = stringifyJson(value);
    const stored = await this.values.put(projectRowId, exact);
    return { ...stored, json: stored.blob === null ? searchableText(value, exact) : null };
  }
}

/** Refs among the string values, without scheme, each once. */
function refsIn(value: JsonValue, into = new Set<string>()): string[] {
  if (typeof value === 'string') {
    if (value.includes(':///') && !value.includes('\0') && value.isWellFormed() && parseRef(value))
      into.add(withoutScheme(value));
  } else if (Array.isArray(value)) {
    for (const item of value) refsIn(item, into);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) refsIn(value[key] as JsonValue, into);
  }
  return [...into];
}
