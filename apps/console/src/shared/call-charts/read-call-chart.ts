import type { CallChartsDto, CallChartsResultDto } from '@hone/client';

import { hone } from '../data/hone.js';
import type { TimeSpan } from '../time-span/time-span.js';

const POLL_MS = 3_000;
/** Charts of very many calls take the database long: at most so large a part of the time. */
const MAX_SHARE = 1 / 20;

/** What is asked of the calls of a time. */
export type ChartRequest = Pick<CallChartsDto, 'measures'> & Partial<CallChartsDto>;

/** After how many milliseconds charts are read again. @param tookMs how long reading took; undefined: never done */
export const chartPollMs = (tookMs = 0): number => Math.max(POLL_MS, tookMs / MAX_SHARE);

/** The figures of a time, in buckets of the reader's own time zone. */
export const readCallChart = (
  project_id: string,
  { start, end, seconds }: TimeSpan,
  request: ChartRequest,
  signal: AbortSignal,
): Promise<CallChartsResultDto> =>
  hone.trace.readCallCharts(
    {
      ...{ project_id, start: iso(start), end: iso(end), granularity: seconds },
      ...{ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...request },
    },
    { signal },
  );

/** The time in one bucket. */
export const inOneBucket = (span: TimeSpan): TimeSpan => ({
  ...span,
  seconds: Math.ceil((span.end - span.start) / 1_000),
});

/** The time before, as long, in one bucket. */
export const timeBefore = ({ start, end, previousStart }: TimeSpan): TimeSpan =>
  inOneBucket({
    ...{ start: previousStart, end: start, seconds: 1 },
    previousStart: previousStart - (end - start),
  });

const iso = (ms: number): string => new Date(ms).toISOString();
