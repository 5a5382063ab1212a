import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsCallId, IsProjectId } from '../names/names.js';
import { Constrained } from '../schema/constraint.js';
import { schemaRef } from '../schema/descriptions.js';
import { Example } from '../schema/example.js';
import { NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsJsonValue, IsText, IsWord } from '../validation/rules.js';

const MAX_ID = { min: 1, max: 128 };
const MAX_INT32 = 2_147_483_647;

/** First half of a call. */
export class CallStartDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Id of the call, 1 to 128 characters without `/`. Absent or null: the server makes one. A half that is sent again
   * replaces the one before.
   */
  @IsOptional() @IsCallId() id?: string | null;
  /** What was called: an op ref or any name, 1 to 512 characters. */
  @IsText({ min: 1, max: 512 }) op_name!: string;
  /** Name to show, at most 1,024 characters. Absent or null: `op_name`. */
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

/** Second half of a call. */
export class CallEndDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the call that ended. */
  @IsCallId() id!: string;
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
