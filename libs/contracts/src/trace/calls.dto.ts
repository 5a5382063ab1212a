import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsCallId, IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsJsonValue, IsText, IsWord } from '../validation/rules.js';

const MAX_ID = { min: 1, max: 128 };
const MAX_INT32 = 2_147_483_647;

/** First half of a call. */
export class CallStartDto {
  @IsProjectId() project_id!: string;
  /** Absent: the server makes one. Sending a half again replaces it. */
  @IsOptional() @IsCallId() id?: string | null;
  /** What was called: an op ref or any name. */
  @IsText({ min: 1, max: 512 }) op_name!: string;
  @IsOptional() @IsText({ max: 1_024 }) display_name?: string | null;
  /** Absent: the call is the root of a new trace. */
  @IsOptional() @IsText(MAX_ID) trace_id?: string | null;
  @IsOptional() @IsCallId() parent_id?: string | null;
  @IsOptional() @IsText(MAX_ID) thread_id?: string | null;
  @IsOptional() @IsText(MAX_ID) turn_id?: string | null;
  @IsDateTime() started_at!: string;
  @IsJsonObject() attributes!: Record<string, unknown>;
  @IsJsonObject() inputs!: Record<string, unknown>;
  @IsOptional() @IsText(MAX_ID) run_id?: string | null;
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) run_step?: number | null;
}

/** Second half of a call. */
export class CallEndDto {
  @IsProjectId() project_id!: string;
  @IsCallId() id!: string;
  @IsDateTime() ended_at!: string;
  @IsOptional() @IsText() exception?: string | null;
  /** Absent and null are the same: no output. */
  @IsOptional() @IsJsonValue() output?: unknown;
  @IsJsonObject() summary!: Record<string, unknown>;
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) run_step_end?: number | null;
}

/** One half; `req` is `{"start": …}` for mode `start`, `{"end": …}` for mode `end`. */
export class CallHalfDto {
  @IsWord(['start', 'end']) mode!: 'start' | 'end';
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
  @NestedList(() => CallHalfDto) batch!: CallHalfDto[];
}

export class CallBatchResultDto {
  /** `res[i]` belongs to `batch[i]`: `{id, trace_id}` of a start, `{}` of an end. */
  @IsJsonValue({
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'string' }, trace_id: { type: 'string' } } },
  })
  res!: Record<string, unknown>[];
}
