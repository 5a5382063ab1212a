import type { CallDto } from '@hone/client';
import { queryOptions } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { shortOpName } from '../format/format.js';

const POLL_MS = 2_000;
/** Fields of calls that a tree shows: computed of columns, so that no value of a call is read for them. */
const COLUMNS = [...['id', 'op_name', 'display_name', 'parent_id', 'started_at', 'ended_at'], 'summary.hone.status'];

export type CallStatus = 'running' | 'success' | 'error' | 'descendant_error';

/** What a tree shows of a call. */
export interface TreeRow {
  readonly id: string;
  readonly opName: string;
  readonly displayName: string | null;
  readonly parentId: string | null;
  readonly status: CallStatus;
  /** Unix milliseconds. */
  readonly beganMs: number;
  /** Milliseconds; null: it runs. */
  readonly latencyMs: number | null;
}

export const titleOf = ({ displayName, opName }: TreeRow): string => displayName ?? shortOpName(opName);

/** All calls of a trace. */
export interface Trace {
  readonly traceId: string;
  readonly rows: readonly TreeRow[];
}

/** @param call with what a tree shows */
export function toTreeRow(call: CallDto): TreeRow {
  const beganMs = Date.parse(call.started_at ?? '');
  return {
    id: call.id,
    opName: call.op_name ?? '',
    displayName: call.display_name ?? null,
    parentId: call.parent_id ?? null,
    status: (call as { 'summary.hone.status'?: CallStatus })['summary.hone.status'] ?? 'running',
    beganMs,
    latencyMs: call.ended_at ? Date.parse(call.ended_at) - beganMs : null,
  };
}

/** How the calls of the trace that a call belongs to are read; null: there is no such call. @param projectId `<entity>/<name>` */
export const traceQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['trace', projectId, id],
    queryFn: ({ signal }) => readTrace(projectId, id, signal),
    refetchInterval: ({ state }) => (state.data?.rows.every(({ latencyMs }) => latencyMs !== null) ? false : POLL_MS),
  });

async function readTrace(project_id: string, id: string, signal: AbortSignal): Promise<Trace | null> {
  // Not the call itself, whose values may be large: they are read beside this.
  const one = { project_id, filter: { call_ids: [id] }, columns: ['trace_id'], limit: 1 };
  const [call] = (await hone.trace.queryCallPages(one, { signal })).calls;
  if (!call) return null;
  const traceId = call.trace_id as string;
  const filter = { trace_ids: [traceId] };
  const rows: TreeRow[] = [];
  for await (const line of hone.trace.queryCalls({ project_id, filter, columns: COLUMNS }, { signal }))
    rows.push(toTreeRow(line));
  return { traceId, rows };
}
