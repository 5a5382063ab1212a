import { type CallEndDto, type CallStartDto, type JsonValue, parseDateTime, parseRef } from '@hone/contracts';

import { ownRef } from '../objects/typed-object.js';
import type { CallEnd, CallStart } from './call.record.js';
import { toJsonDraft } from './json-draft.js';

export const toCallStart = (body: CallStartDto, refScheme: string): CallStart => ({
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
});

export const toCallEnd = (body: CallEndDto): CallEnd => ({
  endedAt: parseDateTime(body.ended_at) as Date,
  exception: body.exception ?? null,
  output: toJsonDraft((body.output as JsonValue | undefined) ?? null),
  summary: toJsonDraft(body.summary as JsonValue),
  runStepEnd: body.run_step_end ?? null,
});
