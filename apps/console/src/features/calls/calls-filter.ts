import type { CallsPageQueryDto } from '@hone/client';

import { ROW_COLUMNS } from './call-row.js';

/** Spans of time that one may look at, in minutes; '' is all. */
export const RANGES = { '15': '15 min', '60': '1 hour', '1440': '24 hours', '10080': '7 days', '43200': '30 days' };
export const STATUSES = ['success', 'error', 'descendant_error', 'running'] as const;

/** What the list shows, as texts of the address; '' everywhere: all calls that no other call made. */
export interface CallsFilter {
  /** A part of the name of the op. */
  readonly op: string;
  readonly status: string;
  /** Minutes back from now. */
  readonly range: string;
  /** `all`: also calls within calls. */
  readonly depth: string;
}

type Condition = Readonly<Record<string, unknown>>;
const field = (name: string): Condition => ({ $getField: name });
const literal = (value: unknown): Condition => ({ $literal: value });

/** @param now Unix milliseconds */
export function toCallsQuery(projectId: string, filter: CallsFilter, now: number): CallsPageQueryDto {
  const conditions: Condition[] = [];
  if (filter.op !== '')
    conditions.push({
      $contains: { input: field('op_name'), substr: literal(filter.op), case_insensitive: true },
    });
  if (filter.status !== '') conditions.push({ $eq: [field('summary.hone.status'), literal(filter.status)] });
  const minutes = Number(filter.range);
  if (minutes > 0) {
    const since = new Date(now - minutes * 60_000).toISOString();
    conditions.push({ $gte: [field('started_at'), literal(since)] });
  }
  return {
    project_id: projectId,
    columns: ROW_COLUMNS,
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    ...(filter.depth !== 'all' && { filter: { trace_roots_only: true } }),
    ...(conditions.length > 0 && { query: { $expr: { $and: conditions } } as CallsPageQueryDto['query'] }),
  };
}
