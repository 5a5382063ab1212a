import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { hone } from '../../shared/data/hone.js';
import { type CallRow, toCallRow } from './call-row.js';
import { type CallsFilter, toCallsQuery } from './calls-filter.js';

const PAGE = 100;
const POLL_MS = 2_000;

/** The calls of a project, newest first, page by page; and whether there are newer ones than the first that is shown. */
export function useCalls(projectId: string, filter: CallsFilter) {
  const key = [projectId, filter.op, filter.status, filter.range, filter.depth];
  const pages = useInfiniteQuery({
    queryKey: ['calls', ...key],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      hone.trace.queryCallPages(
        { ...toCallsQuery(projectId, filter, Date.now()), cursor: pageParam, limit: PAGE },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: Infinity,
  });
  const rows = useMemo(() => (pages.data?.pages ?? []).flatMap(({ calls }) => calls.map(toCallRow)), [pages.data]);
  const newest = useQuery({
    queryKey: ['newest call', ...key],
    queryFn: async ({ signal }) => {
      const query = { ...toCallsQuery(projectId, filter, Date.now()), columns: ['id', 'ended_at'], limit: 1 };
      const { calls } = await hone.trace.queryCallPages(query, { signal });
      return calls[0] ?? null;
    },
    refetchInterval: POLL_MS,
    enabled: pages.data !== undefined,
  });
  const first: CallRow | undefined = rows[0];
  // Also a call that has ended since: its row says that it runs.
  const isBehind =
    newest.data !== undefined &&
    newest.data !== null &&
    (newest.data.id !== first?.id || (newest.data.ended_at ?? null) !== first.endedAt);
  return { pages, rows, isBehind };
}
