import type { CallsPageDto } from '@hone/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { hone } from '../../../shared/data/hone.js';
import { type CallsView, toCallsQuery } from '../calls-filter.js';
import { NEWEST_FIRST } from '../columns/columns.js';
import { LISTED_FIELDS, type ListedCall, toListedCall } from './listed-call.js';

const PAGE = 100;
const POLL_MS = 2_000;

/** A page of the list: a cursor holds for one query alone, so that "an hour ago" must stay the same time. */
interface PageParam {
  readonly cursor: string;
  /** Unix milliseconds at which the first page was asked for; absent: this is the first. */
  readonly askedAt?: number;
}
const FIRST: PageParam = { cursor: '' };

/**
 * The calls of a project, page by page; and whether there are newer ones than the first that is shown, where the newest
 * come first.
 *
 * @param view null: it is not known which calls are meant
 */
export function useCalls(projectId: string, view: CallsView | null) {
  const key = [projectId, view];
  const pages = useInfiniteQuery({
    queryKey: ['calls', ...key],
    initialPageParam: FIRST,
    queryFn: async ({ pageParam: { cursor, askedAt = Date.now() }, signal }) => {
      const query = toCallsQuery(projectId, view as CallsView, askedAt);
      const columns = [...LISTED_FIELDS, ...(query.columns ?? [])];
      return { ...(await hone.trace.queryCallPages({ ...query, columns, cursor, limit: PAGE }, { signal })), askedAt };
    },
    getNextPageParam: ({ next_cursor: cursor, askedAt }) =>
      typeof cursor === 'string' ? { cursor, askedAt } : undefined,
    staleTime: Infinity,
    // Pages that are there stay the same objects by themselves.
    structuralSharing: false,
    // The list stays, and what has the focus in it, while the next one is read.
    placeholderData: keepPreviousData,
    enabled: view !== null,
  });
  const toRows = useMemo(() => rowsOfPages(view), [view]);
  const rows = useMemo(() => (pages.data?.pages ?? []).flatMap(toRows), [pages.data, toRows]);
  const isNewestFirst = view?.sort.field === NEWEST_FIRST.field && view.sort.direction === NEWEST_FIRST.direction;
  const newest = useQuery({
    queryKey: ['newest call', ...key],
    queryFn: async ({ signal }) => {
      const all = toCallsQuery(projectId, view as CallsView, Date.now());
      const { calls } = await hone.trace.queryCallPages({ ...all, columns: ['id', 'ended_at'], limit: 1 }, { signal });
      return calls[0] ?? null;
    },
    refetchInterval: POLL_MS,
    enabled: pages.data !== undefined && isNewestFirst,
  });
  const first: ListedCall | undefined = rows[0];
  // Also a call that has ended since: its row says that it runs.
  const isBehind =
    isNewestFirst &&
    !pages.isPlaceholderData &&
    newest.data !== undefined &&
    newest.data !== null &&
    (newest.data.id !== first?.id || (newest.data.ended_at ?? null) !== first.endedAt);
  return { pages, rows, isBehind };
}

/** Makes the rows of a page once: those that are shown stay what they are while others come. */
function rowsOfPages(view: CallsView | null): (page: CallsPageDto) => readonly ListedCall[] {
  const made = new WeakMap<CallsPageDto, readonly ListedCall[]>();
  // A root whose parent never arrived has a parent, too.
  const isRoot = view?.filter.depth === 'all' ? undefined : true;
  return (page) => {
    const rows = made.get(page) ?? page.calls.map((call) => toListedCall(call, view?.fields, isRoot));
    made.set(page, rows);
    return rows;
  };
}
