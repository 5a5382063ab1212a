import type { CallDto } from '@hone/client';

import type { CallStatus } from '../../shared/trace/trace-query.js';

/** Fields of calls that this page shows of others: none of the values, which may be large. */
export const ROW_COLUMNS = [
  ...['id', 'op_name', 'display_name', 'trace_id', 'parent_id', 'thread_id'],
  ...['started_at', 'ended_at', 'exception', 'summary'],
];

/** A call as pages show it. */
export interface CallRow {
  readonly id: string;
  readonly opName: string;
  readonly displayName: string | null;
  readonly traceId: string;
  readonly parentId: string | null;
  readonly threadId: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly exception: string | null;
  readonly status: CallStatus;
  /** Milliseconds; null: it runs. */
  readonly latencyMs: number | null;
  /** Of all models together; null: it names none. */
  readonly tokens: number | null;
  /** Models that it used. */
  readonly models: readonly string[];
}

interface Summary {
  readonly hone?: { readonly status?: CallStatus; readonly latency_ms?: number | null };
  readonly usage?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
}

export function toCallRow(call: CallDto): CallRow {
  const { hone, usage } = (call.summary ?? {}) as Summary;
  // What SDKs send as usage is theirs: anything may be in it.
  const used = typeof usage === 'object' && usage !== null ? Object.entries(usage) : [];
  const tokens = used.map(([, counts]) => tokensOf(counts)).filter((count) => count !== null);
  return {
    id: call.id,
    opName: call.op_name ?? '',
    displayName: call.display_name ?? null,
    traceId: call.trace_id ?? '',
    parentId: call.parent_id ?? null,
    threadId: call.thread_id ?? null,
    startedAt: call.started_at ?? '',
    endedAt: call.ended_at ?? null,
    exception: call.exception ?? null,
    // A summary that is itself large is not there.
    status: hone?.status ?? (call.exception ? 'error' : call.ended_at ? 'success' : 'running'),
    latencyMs: hone?.latency_ms ?? null,
    tokens: tokens.length === 0 ? null : tokens.reduce((sum, count) => sum + count, 0),
    models: used.map(([model]) => model),
  };
}

function tokensOf(counts: Readonly<Record<string, unknown>> | null): number | null {
  const read = (...names: readonly string[]) =>
    names.map((name) => counts?.[name]).find((value) => typeof value === 'number') as number | undefined;
  const total = read('total_tokens');
  if (total !== undefined) return total;
  const parts = [read('prompt_tokens', 'input_tokens'), read('completion_tokens', 'output_tokens')];
  return parts.every((part) => part === undefined) ? null : (parts[0] ?? 0) + (parts[1] ?? 0);
}
