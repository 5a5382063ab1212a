import type { CallChartsDto } from '@hone/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { findTimeSpan, spanOf, type TimeSpan } from '../../../shared/time-span/time-span.js';
import { type CallsView, spanName, toCondition } from '../calls-filter.js';

/** Begins the keys of these queries. */
export const HISTOGRAM_KEY = 'histogram of calls';
/** Counting all calls of a long time may take the database longer than anybody waits. */
const TIMEOUT_MS = 20_000;
/** Of calls that began nearly at once: one bar as wide as the page says nothing of when that was. */
const LEAST_EXTENT_MS = 60_000;

/** How many calls of the list began when. */
export interface Counts {
  readonly span: TimeSpan;
  /** Starts of the buckets that have calls, Unix milliseconds. */
  readonly times: readonly number[];
  readonly calls: readonly number[];
  /** Those of them that failed. */
  readonly failed: readonly number[];
}

type Condition = ReturnType<typeof toCondition>;

/** Counts the calls of the list over its time, or over all time that has such calls. @param view null: it is not known which */
export function useHistogram(projectId: string, view: CallsView | null) {
  return useQuery({
    queryKey: [HISTOGRAM_KEY, projectId, view?.filter, view?.query],
    queryFn: ({ signal }) => readCounts(projectId, view as CallsView, signal),
    enabled: view !== null,
    staleTime: Infinity,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** @returns null: there are no such calls */
async function readCounts(projectId: string, view: CallsView, signal: AbortSignal): Promise<Counts | null> {
  const now = Date.now();
  const options = { signal, timeoutMs: TIMEOUT_MS };
  // Its time is that of the chart, not a condition: without any, sums of hours tell, however many calls there are.
  const condition = toCondition(projectId, { ...view.filter, range: '' }, view.query, now);
  const span = findTimeSpan(spanName(view.filter.range), now) ?? (await findExtent(condition, options));
  if (span === null) return null;
  const result = await hone.trace.readCallCharts(
    {
      ...(condition as Omit<CallChartsDto, 'start' | 'measures'>),
      ...{ start: new Date(span.start).toISOString(), end: new Date(span.end).toISOString() },
      ...{ granularity: span.seconds, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      measures: ['calls', 'errors'],
    },
    options,
  );
  const [only] = result.series;
  const of = (measure: string) => result.timestamps.map((_, index) => only?.values[measure]?.[index] ?? 0);
  return { span, times: result.timestamps.map(Date.parse), calls: of('calls'), failed: of('errors') };
}

/** From the first of the calls to the last; null: there are none. */
async function findExtent(condition: Condition, options: { signal: AbortSignal }): Promise<TimeSpan | null> {
  const [first, last] = await Promise.all(
    (['asc', 'desc'] as const).map(async (direction) => {
      const sort_by = [{ field: 'started_at', direction }];
      const asked = { ...condition, columns: ['started_at'], sort_by, limit: 1 };
      return (await hone.trace.queryCallPages(asked, options)).calls[0]?.started_at;
    }),
  );
  if (!first || !last) return null;
  const [start, end] = [Date.parse(first), Date.parse(last) + 1];
  const padding = Math.max(0, LEAST_EXTENT_MS - (end - start)) / 2;
  return spanOf(start - padding, end + padding);
}
