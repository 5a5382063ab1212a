import type { CallChartsResultDto, CallDto } from '@hone/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import {
  chartPollMs,
  type ChartRequest,
  inOneBucket,
  readCallChart,
  timeBefore,
} from '../../shared/call-charts/read-call-chart.js';
import { hone } from '../../shared/data/hone.js';
import type { TimeSpan } from '../../shared/time-span/time-span.js';
import { toTimeSpan } from '../../shared/time-span/time-span.js';

const NEWEST_FAILURES = 8;
const MOST_OPS = 50;

export const TOTALS = [
  ...(['calls', 'errors', 'p50_latency_ms', 'p95_latency_ms', 'p99_latency_ms', 'prompt_tokens'] as const),
  ...(['completion_tokens', 'total_tokens', 'cost', 'thumbs_up', 'thumbs_down', 'thumbs_down_rate'] as const),
];

/** What the home page shows. */
export interface HomeFigures {
  readonly span: TimeSpan;
  readonly all: CallChartsResultDto;
  /** The same of the time before. */
  readonly before: CallChartsResultDto;
  /** Cost by model. */
  readonly models: CallChartsResultDto;
  /** By op: cost, calls, errors, latency. */
  readonly ops: CallChartsResultDto;
  /** Means of ratings by scorer. */
  readonly scorers: CallChartsResultDto;
  readonly failures: readonly CallDto[];
  readonly isUsed: boolean;
}

/** @param spanName of the address */
export function useHomeFigures(projectId: string, spanName: string) {
  return useQuery({
    queryKey: ['home', projectId, spanName],
    queryFn: async ({ signal }) => {
      const span = toTimeSpan(spanName, Date.now());
      const began = performance.now();
      const figures = await readHomeFigures(projectId, span, signal);
      return { ...figures, tookMs: performance.now() - began };
    },
    refetchInterval: ({ state }) => chartPollMs(state.data?.tookMs),
    placeholderData: keepPreviousData,
  });
}

async function readHomeFigures(project_id: string, span: TimeSpan, signal: AbortSignal): Promise<HomeFigures> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const chart = (request: ChartRequest, of = span) => readCallChart(project_id, of, request, signal);
  const [all, before, models, ops, scorers, failures, used] = await Promise.all([
    chart({ measures: TOTALS }),
    chart({ measures: TOTALS }, timeBefore(span)),
    chart({ measures: ['cost', 'total_tokens'], group_by: ['model'], limit: 7 }),
    chart(
      { measures: ['cost', 'calls', 'errors', 'p95_latency_ms'], group_by: ['op'], limit: MOST_OPS },
      inOneBucket(span),
    ),
    chart({ measures: ['avg_rating', 'ratings'], group_by: ['scorer'], limit: 4 }),
    hone.trace.queryCallPages(
      {
        ...{ project_id, limit: NEWEST_FAILURES, cursor: '', sort_by: [{ field: 'started_at', direction: 'desc' }] },
        columns: ['op_name', 'display_name', 'started_at', 'exception', 'summary.hone.input_preview'],
        query: { $expr: { $and: failedWithin(iso(span.start), iso(span.end)) } } as never,
      },
      { signal },
    ),
    hone.trace.countCalls({ project_id, limit: 1 }, { signal }),
  ]);
  return { span, all, before, models, ops, scorers, failures: failures.calls, isUsed: used.count > 0 };
}

function failedWithin(start: string, end: string): object[] {
  const [startedAt, status] = ['started_at', 'summary.hone.status'].map((name) => ({ $getField: name }));
  return [
    { $gte: [startedAt, { $literal: start }] },
    { $not: [{ $gte: [startedAt, { $literal: end }] }] },
    { $eq: [status, { $literal: 'error' }] },
  ];
}
