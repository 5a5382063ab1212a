import type { CallChartsResultDto } from '@hone/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import {
  chartPollMs,
  type ChartRequest,
  inOneBucket,
  readCallChart,
  timeBefore,
} from '../../shared/call-charts/read-call-chart.js';
import { useProject } from '../../shared/data/project.js';
import { toInterfaceQuery } from '../../shared/query/expression.js';
import { type TimeSpan, toTimeSpan } from '../../shared/time-span/time-span.js';
import { type Chart, type ChartKind } from './chart.js';

/** Colours of lines and parts of bars; rows of tables, which are the most that the interface answers. */
const MOST_SERIES: Readonly<Record<ChartKind, number>> = { line: 8, bars: 8, number: 6, table: 50 };
const MOST_BEFORE = 50;
/** More are finer than a screen. */
const MAX_BUCKETS = 500;

/** What a chart shows. */
export interface ChartFigures {
  readonly span: TimeSpan;
  readonly now: CallChartsResultDto;
  /** Of the time before; null: it is not compared. */
  readonly before: CallChartsResultDto | null;
}

/** @param spanName as the address names it */
export function useChart(chart: Chart, spanName: string, isCompared: boolean) {
  const { id } = useProject();
  const { kind, measures, groups, bucketSeconds, filter } = chart;
  return useQuery({
    queryKey: ['dashboard chart', id, kind, measures, groups, bucketSeconds, filter, spanName, isCompared],
    queryFn: async ({ signal }): Promise<ChartFigures & { readonly tookMs: number }> => {
      const began = performance.now();
      const span = spanOfChart(chart, toTimeSpan(spanName, Date.now()));
      const request = toRequest(chart);
      const [now, before] = await Promise.all([
        readCallChart(id, span, { ...request, limit: MOST_SERIES[kind] }, signal),
        isCompared ? readCallChart(id, timeBefore(span), { ...request, limit: MOST_BEFORE }, signal) : null,
      ]);
      return { span, now, before, tookMs: performance.now() - began };
    },
    refetchInterval: ({ state }) => chartPollMs(state.data?.tookMs),
    placeholderData: keepPreviousData,
  });
}

function toRequest({ measures, groups, filter }: Chart): ChartRequest {
  const query = toInterfaceQuery(filter);
  return {
    ...{ measures: [...measures], group_by: [...groups] },
    ...(query && { query: query as ChartRequest['query'] }),
  };
}

/** Numbers, and rows of groups, are of the whole time. */
export function spanOfChart({ kind, groups, bucketSeconds }: Chart, span: TimeSpan): TimeSpan {
  if (kind === 'number' || (kind === 'table' && groups.length > 0)) return inOneBucket(span);
  const least = (span.end - span.start) / 1_000 / MAX_BUCKETS;
  return bucketSeconds === null || bucketSeconds < least ? span : { ...span, seconds: bucketSeconds };
}
