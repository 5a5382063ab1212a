import type { ChartSeriesDto, ThreadDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { type CallPreview, readPreviews } from '../../shared/calls/previews.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

/** What a list says of conversations beside their turns. */
export interface AboutThreads {
  /** By the ids of the calls. */
  readonly previews: ReadonlyMap<string, CallPreview>;
  /** Id of a conversation -> sums over all its calls. */
  readonly figures: ReadonlyMap<string, ThreadFigures>;
}

export interface ThreadFigures {
  readonly tokens: number;
  readonly costUsd: number;
  readonly errors: number;
  readonly thumbsUp: number;
  readonly thumbsDown: number;
}

/** Most series that one question answers. */
const SERIES = 50;
const MEASURES = ['total_tokens', 'cost', 'errors', 'thumbs_up', 'thumbs_down'] as const;
/** One bucket, however long the conversations are. */
const MOST_SECONDS = 31_536_000;

/** Beginnings of first and last turns, and sums of tokens, cost and judgements. @param threads undefined: not known yet */
export function useAboutThreads(threads: readonly ThreadDto[] | undefined) {
  const { id: project_id } = useProject();
  const calls = (threads ?? []).flatMap(({ first_call_id, last_call_id }) => [first_call_id ?? '', last_call_id ?? '']);
  const updates = threads?.map(({ thread_id, last_updated }) => [thread_id, last_updated]) ?? [];
  return useQuery({
    queryKey: ['about threads', project_id, updates],
    queryFn: async ({ signal }): Promise<AboutThreads> => {
      const known = threads ?? [];
      const groups = Array.from({ length: Math.ceil(known.length / SERIES) }, (_, at) =>
        known.slice(at * SERIES, (at + 1) * SERIES),
      );
      const [previews, ...figures] = await Promise.all([
        readPreviews(project_id, calls, signal),
        ...groups.map((group) => readFigures(project_id, group, signal)),
      ]);
      return { previews, figures: new Map(figures.flat()) };
    },
    enabled: threads !== undefined && threads.length > 0,
    placeholderData: (before) => before,
  });
}

async function readFigures(project_id: string, threads: readonly ThreadDto[], signal: AbortSignal) {
  const start = threads.reduce((least, { start_time }) => (start_time < least ? start_time : least), '9999');
  const filter = { thread_ids: threads.map(({ thread_id }) => thread_id) };
  const asked = { project_id, start, granularity: MOST_SECONDS, measures: [...MEASURES], limit: SERIES, filter };
  const { series } = await hone.trace.readCallCharts({ ...asked, group_by: ['thread'] }, { signal });
  return series.map((one) => [one.key['thread'] ?? '', toFigures(one)] as const);
}

function toFigures({ totals }: ChartSeriesDto): ThreadFigures {
  const of = (measure: (typeof MEASURES)[number]) => totals[measure] ?? 0;
  return {
    tokens: of('total_tokens'),
    costUsd: of('cost'),
    errors: of('errors'),
    thumbsUp: of('thumbs_up'),
    thumbsDown: of('thumbs_down'),
  };
}
