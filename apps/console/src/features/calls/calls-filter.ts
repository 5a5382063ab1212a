import type { CallsPageQueryDto } from '@hone/client';

import { toExpression } from '../../shared/query/expression.js';
import type { Query } from '../../shared/query/query.js';
import { findTimeSpan, type TimeSpan } from '../../shared/time-span/time-span.js';
import { NEWEST_FIRST, type Sort } from './columns/columns.js';

/** Minutes back from now, by which addresses and views of earlier versions name their time. */
const MINUTES: Readonly<Record<string, string>> = { 15: '15m', 60: '1h', 1440: '24h', 10080: '7d', 43200: '30d' };
export const STATUSES = ['success', 'error', 'descendant_error', 'running'] as const;

/** What the list shows, as texts of the address; '' everywhere: all calls that no other call made. */
export interface CallsFilter {
  /** A part of the name of the op. */
  readonly op: string;
  readonly status: string;
  /** Name of a span of time, see {@link spanName}. */
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

/** The name of the span of time that an address names. */
export const spanName = (range: string): string => (Object.hasOwn(MINUTES, range) ? (MINUTES[range] ?? '') : range);

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
  conditions.push(...withinSpan(findTimeSpan(spanName(filter.range), now), now));
  // Side by side: the conditions on columns alone choose what is read.
  if (query !== null) conditions.push(...(query.kind === 'and' ? query.parts : [query]).map(toExpression));
  return {
    project_id: projectId,
    ...(filter.depth !== 'all' && { filter: { trace_roots_only: true } }),
    ...(conditions.length > 0 && { query: { $expr: { $and: conditions } } as CallsPageQueryDto['query'] }),
  };
}

/** Calls of the time up to now may still come. */
function withinSpan(span: TimeSpan | null, now: number): Condition[] {
  if (span === null) return [];
  const time = (ms: number) => literal(new Date(ms).toISOString());
  const since = { $gte: [field('started_at'), time(span.start)] };
  return span.end < now ? [since, { $lt: [field('started_at'), time(span.end)] }] : [since];
}

/** @param now Unix milliseconds */
export function toCallsQuery(projectId: string, view: CallsView, now: number): CallsPageQueryDto {
  const { field: by, direction } = view.sort;
  const isNewest = by === NEWEST_FIRST.field;
  return {
    ...toCondition(projectId, view.filter, view.query, now),
    columns: [...view.fields],
    sort_by: [
      { field: by, direction },
      ...(isNewest ? [] : [{ field: NEWEST_FIRST.field, direction: 'desc' as const }]),
    ],
  };
}
