import { createHash } from 'node:crypto';

import { type JsonDraft, MAX_INLINE_BYTES, ValueRepository } from '@hone/calls';
import { type JsonObject, type JsonValue, parseJson } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { CallContent } from './event-content.js';
import type { LogEvent, SentEvent } from './log-records.js';

/** A span of a project. */
export interface SpanKey {
  projectRowId: string;
  traceId: string;
  spanId: string;
}

/** A call whose span has events, with all that came of these. */
export interface CallWithEvents extends CallContent {
  projectRowId: string;
  id: string;
  events: LogEvent[];
  /** The call has got some of them already. */
  isJoined: boolean;
}

interface Row {
  projectRowId: string;
  id: string;
  inputs_text: string | null;
  inputs_blob: string | null;
  output_text: string | null;
  output_blob: string | null;
  attributes_text: string | null;
  attributes_blob: string | null;
  events: { name: string; time: string; content: string; isJoined: boolean }[];
  traceId: string;
  spanId: string;
}

/** Events of spans that came as log records. */
@Injectable()
export class SpanEventRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Stores events; one that is there already stays as it is. */
  async insertAll(projectRowId: string, events: readonly SentEvent[]): Promise<void> {
    await this.database.client.spanEvent.createMany({
      data: events.map(({ traceId, spanId, timeUnixNano, name, content }) => {
        const digest = createHash('sha256').update(`${timeUnixNano} ${name} ${content}`).digest();
        return { projectId: projectRowId, traceId, spanId, digest, timeUnixNano, name, content };
      }),
      skipDuplicates: true,
    });
  }

  /** Calls of the spans that have events, locked until the end of the transaction, in the order in which batches lock them. */
  async lockCalls(spans: readonly SpanKey[]): Promise<CallWithEvents[]> {
    const column = (key: keyof SpanKey) => spans.map((span) => span[key]);
    const rows = await this.database.client.$queryRaw<Row[]>`
      SELECT c.project_id AS "projectRowId", c.id, e.trace_id AS "traceId", e.span_id AS "spanId", e.events,
        v.inputs_text, v.inputs_blob, v.output_text, v.output_blob, v.attributes_text, v.attributes_blob
      FROM (
        SELECT e.project_id, e.trace_id, e.span_id, json_agg(json_build_object('name', e.name, 'time', e.time_unix_nano::text,
          'content', e.content, 'isJoined', e.is_joined) ORDER BY e.time_unix_nano, e.received_at, e.digest) AS events
        FROM span_events e WHERE (e.project_id, e.trace_id, e.span_id) IN (
          SELECT * FROM unnest(${column('projectRowId')}::uuid[], ${column('traceId')}::text[], ${column('spanId')}::text[]))
        GROUP BY 1, 2, 3) e
      JOIN calls c ON c.project_id = e.project_id AND c.id IN (e.span_id, e.trace_id || '-' || e.span_id)
        AND c.trace_id = e.trace_id AND c.deleted_at IS NULL
      JOIN call_values v ON v.project_id = c.project_id AND v.id = c.id
      ORDER BY c.project_id, c.id FOR UPDATE OF c`;
    const calls: CallWithEvents[] = [];
    for (const row of rows) calls.push(await this.toCall(row));
    return calls;
  }

  /** Stores inputs and output of a call with the messages of its events. */
  async join({ projectRowId, id }: CallWithEvents, span: SpanKey, inputs: JsonDraft, output: JsonDraft): Promise<void> {
    const { client } = this.database;
    const [asked, answered] = [await this.place(projectRowId, inputs), await this.place(projectRowId, output)];
    await client.$executeRaw`
      WITH filled AS (
        UPDATE call_values SET inputs_text = ${asked.text}, inputs_blob = ${asked.blob},
          inputs_json = ${inputs.searchable}::jsonb, output_text = ${answered.text}, output_blob = ${answered.blob},
          output_json = ${output.searchable}::jsonb
        WHERE project_id = ${projectRowId}::uuid AND id = ${id}
        RETURNING coalesce(octet_length(attributes_text), 0) + ${Buffer.byteLength(inputs.text)} AS start_bytes,
          coalesce(octet_length(summary_text), 0) + ${Buffer.byteLength(output.text)} AS end_bytes)
      UPDATE calls c SET start_bytes = filled.start_bytes, end_bytes = filled.end_bytes, input_refs = ${inputs.refs}::text[],
        output_refs = ${output.refs}::text[], is_start_derived = false, is_end_derived = false -- a job derives them anew
      FROM filled WHERE c.project_id = ${projectRowId}::uuid AND c.id = ${id}`;
    await client.$executeRaw`
      UPDATE span_events SET is_joined = true WHERE project_id = ${projectRowId}::uuid AND trace_id = ${span.traceId}
        AND span_id = ${span.spanId} AND NOT is_joined`;
  }

  /** @returns how many were deleted */
  async deleteBefore(time: Date): Promise<number> {
    return (await this.database.client.spanEvent.deleteMany({ where: { receivedAt: { lt: time } } })).count;
  }

  private async place(
    projectRowId: string,
    { text }: JsonDraft,
  ): Promise<{ text: string | null; blob: string | null }> {
    const bytes = Buffer.from(text);
    if (bytes.length <= MAX_INLINE_BYTES) return { text, blob: null };
    return { text: null, blob: await this.values.putBytes(projectRowId, bytes) };
  }

  private async toCall(row: Row): Promise<CallWithEvents> {
    const { projectRowId, id, traceId, spanId } = row;
    const read = async (text: string | null, blob: string | null): Promise<JsonValue> => {
      const whole = await this.values.get(projectRowId, { text, blob });
      return whole === null ? null : parseJson(whole);
    };
    return {
      ...{ projectRowId, id },
      inputs: await read(row.inputs_text, row.inputs_blob),
      output: await read(row.output_text, row.output_blob),
      attributes: await read(row.attributes_text, row.attributes_blob),
      isJoined: row.events.some(({ isJoined }) => isJoined),
      events: row.events.map(({ name, time, content }) => ({
        ...{ traceId, spanId, name, timeUnixNano: BigInt(time), content: parseJson(content) as JsonObject },
      })),
    };
  }
}
