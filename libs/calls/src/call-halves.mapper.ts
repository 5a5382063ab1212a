import {
  asNumber,
  type CallEndFieldsDto,
  type CallStartFieldsDto,
  isJsonObject,
  type JsonValue,
  ownRef,
  parseDateTime,
  parseRef,
} from '@hone/contracts';

import type { CallEnd, CallStart } from './call-halves.record.js';
import { derivedEnd, derivedStart } from './derived/derived.js';
import { toJsonDraft } from './json-draft.js';

/** The first half of a call as it is stored. @param refScheme of the op ref, whatever scheme it came in */
export const toCallStart = (body: CallStartFieldsDto, refScheme: string): CallStart => ({
  opName: parseRef(body.op_name)?.kind === 'op' ? ownRef(body.op_name, refScheme) : body.op_name,
  displayName: body.display_name ?? null,
  traceId: body.trace_id ?? null,
  parentId: body.parent_id ?? null,
  threadId: body.thread_id ?? null,
  turnId: body.turn_id ?? null,
  startedAt: parseDateTime(body.started_at) as Date,
  attributes: toJsonDraft(body.attributes as JsonValue),
  inputs: toJsonDraft(body.inputs as JsonValue),
  runId: body.run_id ?? null,
  runStep: body.run_step ?? null,
  derived: derivedStart(body.attributes as JsonValue, body.inputs as JsonValue),
});

/** The second half of a call as it is stored. */
export const toCallEnd = (body: CallEndFieldsDto): CallEnd => ({
  endedAt: parseDateTime(body.ended_at) as Date,
  exception: body.exception ?? null,
  output: toJsonDraft((body.output as JsonValue | undefined) ?? null),
  summary: toJsonDraft(body.summary as JsonValue),
  hasDescendantError: countsErrors(body.summary as JsonValue),
  displayName: body.display_name ?? null,
  runStepEnd: body.run_step_end ?? null,
  derived: derivedEnd(
    (body.output as JsonValue | undefined) ?? null,
    body.summary as JsonValue,
    body.exception ?? null,
  ),
});

function countsErrors(summary: JsonValue): boolean {
  const counts = isJsonObject(summary) && Object.hasOwn(summary, 'status_counts') ? summary['status_counts'] : null;
  return isJsonObject(counts) && Object.hasOwn(counts, 'error') && (asNumber(counts['error']) ?? 0) > 0;
}
