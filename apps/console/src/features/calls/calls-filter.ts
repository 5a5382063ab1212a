import type { CallsPageQueryDto } from '@hone/client';

import { ROW_COLUMNS } from './call-row.js';
import { NEWEST_FIRST, type Sort } from './columns/columns.js';
import { toExpression } from './query/expression.js';
import type { Query } from './query/query.js';

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

/** What the list shows, and how. */
export interface CallsView {
  readonly filter: CallsFilter;
  /** Of the query line; null: it says nothing. */
  readonly query: Query | null;
  /** Fields that columns need beside those of all rows, as the interface names them. */
  readonly fields: readonly string[];
  readonly sort: Sort;
}

type Condition = Readonly<Record<string, unknown>>;
const field = (name: string): Condition => ({ $getField: name });
const literal = (value: unknown): Condition => ({ $literal: value });

/** Which calls are meant. @param now Unix milliseconds */
export function toCondition(
  projectId: string,
  filter: CallsFilter,
  query: Query | null,
  now: number,
): Pick<CallsPageQueryDto, 'project_id' | 'filter' | 'query'> {
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
  // Side by side: the conditions on columns alone choose what is read.
  if (query !== null) conditions.push(...(query.kind === 'and' ? query.parts : [query]).map(toExpression));
  return {
    project_id: projectId,
    ...(filter.depth !== 'all' && { filter: { trace_roots_only: true } }),
    ...(conditions.length > 0 && { query: { $expr: { $and: conditions } } as CallsPageQueryDto['query'] }),
  };
}

/** @param now Unix milliseconds */
export function toCallsQuery(projectId: string, view: CallsView, now: number): CallsPageQueryDto {
  const { field: by, direction } = view.sort;
  const isNewest = by === NEWEST_FIRST.field;
  return {
    ...toCondition(projectId, view.filter, view.query, now),
    columns: [...ROW_COLUMNS, ...view.fields],
    sort_by: [
      { field: by, direction },
      ...(isNewest ? [] : [{ field: NEWEST_FIRST.field, direction: 'desc' as const }]),
    ],
  };
}
