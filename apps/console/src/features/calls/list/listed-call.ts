import type { CallDto } from '@hone/client';

import { preview } from '../../../shared/format/preview.js';
import type { CallStatus } from '../../../shared/trace/trace-query.js';

/** What rows of the list always have. None of it is among the values of calls, which may be large. */
export const LISTED_FIELDS = [
  ...['id', 'op_name', 'display_name', 'parent_id', 'started_at', 'ended_at', 'exception'],
  ...['summary.hone.status', 'summary.hone.latency_ms'],
];
/** Sums of the trace of a call. */
export const TRACE_FIELD = 'summary.hone.trace';

/** What all calls of a trace did together, as the interface answers it. */
export interface TraceSums {
  readonly calls: number;
  /** Calls that failed. */
  readonly errors: number;
  /** Those with the most tokens come first. */
  readonly models: readonly string[];
  readonly total_tokens: number;
  /** US dollars; null: no model has a price. */
  readonly cost: number | null;
}

/** A row of the list. What was not asked for is missing: null, or an empty text. */
export interface ListedCall {
  readonly id: string;
  readonly opName: string;
  readonly displayName: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly status: CallStatus;
  /** Milliseconds; null: it runs. */
  readonly latencyMs: number | null;
  /** What went wrong, on one line. */
  readonly failure: string;
  /** Calls below it that failed; null: it is not known how many. */
  readonly errorsBelow: number | null;
  readonly models: readonly string[];
  readonly tokens: number | null;
  /** US dollars. */
  readonly cost: number | null;
  /** Sums of the trace that the call is the root of. */
  readonly trace: TraceSums | null;
  /** Further fields by their names in the interface, each on one line. */
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * A root that used no model itself shows what its trace used.
 *
 * @param fields further ones, as the interface names them
 * @param isRoot whether it is the topmost call of its trace that arrived
 */
export function toListedCall(call: CallDto, fields: readonly string[] = [], isRoot = !call.parent_id): ListedCall {
  const answer = call as unknown as Readonly<Record<string, unknown>>;
  const status = (answer['summary.hone.status'] ?? 'running') as CallStatus;
  const trace = isRoot ? ((answer[TRACE_FIELD] ?? null) as TraceSums | null) : null;
  const model = textOf(answer['summary.hone.model']);
  return {
    id: call.id,
    opName: call.op_name ?? '',
    displayName: call.display_name ?? null,
    startedAt: call.started_at ?? '',
    endedAt: call.ended_at ?? null,
    status,
    latencyMs: numberOf(answer['summary.hone.latency_ms']),
    failure: lastLine(call.exception ?? ''),
    // Without any, what a client says of its own calls has it.
    errorsBelow: status === 'descendant_error' && trace && trace.errors > 0 ? trace.errors : null,
    models: model === null ? (trace?.models ?? []) : [model],
    tokens: numberOf(answer['summary.hone.total_tokens']) ?? (trace?.models.length ? trace.total_tokens : null),
    cost: numberOf(answer['summary.hone.cost']) ?? trace?.cost ?? null,
    trace,
    cells: Object.fromEntries(fields.map((field) => [field, preview(answer[field])])),
  };
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A traceback says at its end what went wrong. */
const lastLine = (exception: string): string => preview(exception.trimEnd().split('\n').at(-1));
