import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { callIdRule, IsCallId, IsProjectId } from '../names/names.js';
import { Constrained } from '../schema/constraint.js';
import { schemaRef } from '../schema/descriptions.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsJsonValue, IsText, IsWord, listRule } from '../validation/rules.js';

const MAX_ID = { min: 1, max: 128 };
const MAX_INT32 = 2_147_483_647;

/** Ids of calls, at most 1,000. */
export const IsCallIds = (): PropertyDecorator => fromRule(listRule(callIdRule, { max: 1_000 }));

/** What the first half of a call has beside its id and project. */
export class CallStartFieldsDto {
  /** What was called: an op ref or any name, 1 to 512 characters. */
  @IsText({ min: 1, max: 512 }) op_name!: string;
  /**
   * Name to show, at most 1,024 characters. Absent or null: that of an earlier half or update, else none.
   */
  @IsOptional() @IsText({ max: 1_024 }) display_name?: string | null;
  /**
   * Id of the trace that the call belongs to, 1 to 128 characters. Absent or null: the call is the root of a new trace.
   */
  @IsOptional() @IsText(MAX_ID) trace_id?: string | null;
  /** Id of the call that made this call. Absent or null: none. */
  @IsOptional() @IsCallId() parent_id?: string | null;
  /** Id of the conversation that the call belongs to, 1 to 128 characters. Absent or null: none. */
  @IsOptional() @IsText(MAX_ID) thread_id?: string | null;
  /** Id of the turn in the conversation, 1 to 128 characters. Absent or null: none. */
  @IsOptional() @IsText(MAX_ID) turn_id?: string | null;
  /** When the call began, ISO 8601; without an offset UTC. */
  @IsDateTime() started_at!: string;
  /** Metadata of the call: a JSON object, kept as sent. */
  @IsJsonObject() attributes!: Record<string, unknown>;
  /** Arguments of the call: a JSON object, kept as sent. */
  @IsJsonObject() inputs!: Record<string, unknown>;
  /** Id of the run that the call belongs to, 1 to 128 characters. Absent or null: none. */
  @IsOptional() @IsText(MAX_ID) run_id?: string | null;
  /** Step of the run at the start, 0 to 2,147,483,647. Absent or null: none. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) run_step?: number | null;
}

/** First half of a call. */
export class CallStartDto extends CallStartFieldsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Id of the call, 1 to 128 characters without `/`. Absent or null: the server makes one. A half that is sent again
   * replaces the one before.
   */
  @IsOptional() @IsCallId() id?: string | null;
}

/** What the second half of a call has beside its id and project. */
export class CallEndFieldsDto {
  /** When the call ended, ISO 8601; without an offset UTC. */
  @IsDateTime() ended_at!: string;
  /** Name to show, at most 1,024 characters, where it is known only now. Absent or null: that of an earlier half. */
  @IsOptional() @IsText({ max: 1_024 }) display_name?: string | null;
  /** Why the call failed. Absent or null: it did not fail. */
  @IsOptional() @IsText() exception?: string | null;
  /** Result of the call, any JSON. Absent or null: none. */
  @IsOptional() @IsJsonValue() output?: unknown;
  /** What the call used, for example tokens: a JSON object, kept as sent. */
  @IsJsonObject() summary!: Record<string, unknown>;
  /** Step of the run at the end, 0 to 2,147,483,647. Absent or null: none. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) run_step_end?: number | null;
}

/** Second half of a call. */
export class CallEndDto extends CallEndFieldsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the call that ended. */
  @IsCallId() id!: string;
}

const half = (mode: 'start' | 'end', type: { readonly name: string }) => ({
  properties: {
    mode: { const: mode },
    req: { properties: { [mode]: schemaRef(type) }, required: [mode], additionalProperties: false },
  },
  required: ['mode', 'req'],
});

/** One half of a call. */
@Constrained({
  schema: { oneOf: [half('start', CallStartDto), half('end', CallEndDto)] },
  parts: () => [CallStartDto, CallEndDto],
})
export class CallHalfDto {
  /** Which half it is: `start` or `end`. */
  @IsWord(['start', 'end']) mode!: 'start' | 'end';
  /** `{"start": …}` for mode `start`, `{"end": …}` for mode `end`. */
  @IsJsonObject() req!: Record<string, unknown>;
}

/** Body of `POST /call/upsert_batch`: all halves are stored, or none. */
@Example({
  batch: [
    {
      mode: 'start',
      req: {
        start: {
          project_id: 'acme/demo',
          id: 'c1',
          op_name: 'hone:///acme/demo/op/predict:v0',
          started_at: '2026-01-15T09:59:00Z',
          attributes: {},
          inputs: { q: '2+2' },
        },
      },
    },
    {
      mode: 'end',
      req: { end: { project_id: 'acme/demo', id: 'c1', ended_at: '2026-01-15T09:59:01Z', output: '4', summary: {} } },
    },
  ],
})
export class CallBatchDto {
  /** The halves, in any order; start and end of one call may come in different requests. */
  @NestedList(() => CallHalfDto) batch!: CallHalfDto[];
}

/** Answer of `POST /call/upsert_batch`. */
export class CallBatchResultDto {
  /** `res[i]` belongs to `batch[i]`: `{id, trace_id}` of a start, `{}` of an end. */
  @IsJsonValue({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Id of the call. Absent: the half is an end.' },
        trace_id: { type: 'string', description: 'Id of its trace. Absent: the half is an end.' },
      },
    },
  })
  res!: Record<string, unknown>[];
}

/** Body of `POST /call/start`. */
@Example({
  start: {
    project_id: 'acme/demo',
    id: 'c1',
    op_name: 'hone:///acme/demo/op/predict:v0',
    started_at: '2026-01-15T09:59:00Z',
    attributes: {},
    inputs: { q: '2+2' },
  },
})
export class CallStartRequestDto {
  /** The half to store. */
  @Nested(() => CallStartDto) start!: CallStartDto;
}

/** Body of `POST /call/end`. */
@Example({
  end: { project_id: 'acme/demo', id: 'c1', ended_at: '2026-01-15T09:59:01Z', output: '4', summary: {} },
})
export class CallEndRequestDto {
  /** The half to store. */
  @Nested(() => CallEndDto) end!: CallEndDto;
}

/** Answer of `POST /call/start`. */
export class CallStartResultDto {
  /** Id of the call. */
  @IsCallId() id!: string;
  /** Id of its trace. */
  @IsText(MAX_ID) trace_id!: string;
}

/** First half of a call, in the project of the path. */
export class ProjectCallStartDto extends CallStartFieldsDto {
  /** Project `<entity>/<project>`, the same as in the path. Absent or null: that of the path. */
  @IsOptional() @IsProjectId() project_id?: string | null;
  /**
   * Id of the call, 1 to 128 characters without `/`. Absent or null: the server makes one. A half that is sent again
   * replaces the one before.
   */
  @IsOptional() @IsCallId() id?: string | null;
}

/** Second half of a call, in the project of the path. */
export class ProjectCallEndDto extends CallEndFieldsDto {
  /** Project `<entity>/<project>`, the same as in the path. Absent or null: that of the path. */
  @IsOptional() @IsProjectId() project_id?: string | null;
  /** Id of the call that ended. */
  @IsCallId() id!: string;
}

/** Body of `POST /v2/{entity}/{project}/call/start`. */
@Example({
  start: { id: 'c1', op_name: 'predict', started_at: '2026-01-15T09:59:00Z', attributes: {}, inputs: { q: '2+2' } },
})
export class ProjectCallStartRequestDto {
  /** The half to store. */
  @Nested(() => ProjectCallStartDto) start!: ProjectCallStartDto;
}

/** Body of `POST /v2/{entity}/{project}/call/end`. */
@Example({ end: { id: 'c1', ended_at: '2026-01-15T09:59:01Z', output: '4', summary: {} } })
export class ProjectCallEndRequestDto {
  /** The half to store. */
  @Nested(() => ProjectCallEndDto) end!: ProjectCallEndDto;
}

/** A whole call, in the project of the path. */
export class CompletedCallDto extends ProjectCallStartDto {
  /** When the call ended, ISO 8601; without an offset UTC. */
  @IsDateTime() ended_at!: string;
  /** Why the call failed. Absent or null: it did not fail. */
  @IsOptional() @IsText() exception?: string | null;
  /** Result of the call, any JSON. Absent or null: none. */
  @IsOptional() @IsJsonValue() output?: unknown;
  /** What the call used, for example tokens: a JSON object, kept as sent. */
  @IsJsonObject() summary!: Record<string, unknown>;
  /** Step of the run at the end, 0 to 2,147,483,647. Absent or null: none. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) run_step_end?: number | null;
}

/** Body of `POST /v2/{entity}/{project}/calls/complete`: all calls are stored, or none. */
@Example({
  batch: [
    {
      id: 'c1',
      op_name: 'predict',
      started_at: '2026-01-15T09:59:00Z',
      ended_at: '2026-01-15T09:59:01Z',
      attributes: {},
      inputs: { q: '2+2' },
      output: '4',
      summary: {},
    },
  ],
})
export class CallsCompleteDto {
  /** The calls, none included. A call that was sent before is replaced. */
  @NestedList(() => CompletedCallDto) batch!: CompletedCallDto[];
}

/** Body of `POST /call/update`. */
@Example({ project_id: 'acme/demo', call_id: 'c1', display_name: 'sum of two numbers' })
export class CallUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the call. */
  @IsCallId() call_id!: string;
  /** Name to show instead of `op_name`, at most 1,024 characters; empty: none. */
  @IsText({ max: 1_024 }) display_name!: string;
}

/** Body of `POST /calls/delete`. */
@Example({ project_id: 'acme/demo', call_ids: ['c9'] })
export class CallsDeleteDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Ids of the calls, at most 1,000; calls made by them are deleted, too. Ids of no call are ignored. */
  @IsCallIds() call_ids!: string[];
}

/** Answer of `POST /calls/delete`. */
export class CallsDeleteResultDto {
  /** Number of calls that were deleted, those made by the named ones included. */
  @IsInteger({ min: 0 }) num_deleted!: number;
}

/** An answer that says no more than that the request was carried out. */
export class EmptyResultDto {}
