import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { Exchange } from '../chat/exchange.js';
import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { readExchange } from '../payload/use-call.js';
import type { TreeRow } from '../trace/trace-query.js';
import { Conversation, type Item } from './conversation.js';
import { innermostOf } from './model-calls.js';

/** Calls that are read for a page, and how many of them at the same time. */
const PAGE_CALLS = 20;
const AT_ONCE = 4;
const POLL_MS = 5_000;

const has = (field: string) => ({ $convert: { input: { $getField: field }, to: 'exists' } });
/** Calls whose inputs may be messages to a model. */
const MAY_BE_EXCHANGE = { $expr: { $or: [has('inputs.messages'), has('inputs.input')] } };

/** Tells conversations apart. */
let opened = 0;

interface Reading {
  readonly conversation: Conversation;
  /** Those that are read so far. */
  readonly items: readonly Item[];
  /** Calls that are read, of all that may be exchanges with a model. */
  readonly read: number;
  readonly total: number | null;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly readMore: () => void;
}

/** The messages of a trace, read call by call as far as they are looked at. */
export function useConversation(traceId: string, rows: readonly TreeRow[]): Reading {
  const { id: project_id } = useProject();
  const [{ conversation, name }] = useState(() => ({ conversation: new Conversation(), name: ++opened }));
  const hasEnded = rows.every(({ latencyMs }) => latencyMs !== null);
  const found = useQuery({
    queryKey: ['model calls of a trace', project_id, traceId, hasEnded],
    queryFn: async ({ signal }) => {
      const filter = { trace_ids: [traceId] };
      const ids: string[] = [];
      const asked = { project_id, filter, query: MAY_BE_EXCHANGE, columns: ['id'] };
      for await (const { id } of hone.trace.queryCalls(asked, { signal })) ids.push(id);
      return new Set(ids);
    },
    refetchInterval: hasEnded ? false : POLL_MS,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const ids = useMemo(() => (found.data ? innermostOf(rows, found.data) : null), [rows, found.data]);
  const nextOf = () => ids?.filter((id) => !conversation.callIds.has(id)).slice(0, PAGE_CALLS) ?? [];
  const pages = useInfiniteQuery({
    // What is read is kept in this conversation alone.
    queryKey: ['messages of a trace', project_id, traceId, name],
    queryFn: async ({ signal }) => {
      const next = nextOf();
      const exchanges: (Exchange | null)[] = [];
      for (let at = 0; at < next.length; at += AT_ONCE) {
        const some = next.slice(at, at + AT_ONCE);
        exchanges.push(...(await Promise.all(some.map((id) => readExchange(project_id, id, signal)))));
      }
      for (const [at, id] of next.entries()) {
        signal.throwIfAborted();
        conversation.add(id, exchanges[at] ?? null);
        // Histories may be megabytes: the page is painted between them.
        await new Promise((resolve) => setTimeout(resolve));
      }
      return conversation.items.length;
    },
    initialPageParam: 0,
    getNextPageParam: (_last, all) => (nextOf().length > 0 ? all.length : undefined),
    enabled: ids !== null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });
  const error = found.error ?? pages.error;
  return {
    conversation,
    items: useMemo(() => conversation.items.slice(0, pages.data?.pages.at(-1) ?? 0), [conversation, pages.data]),
    read: conversation.callIds.size,
    total: ids?.length ?? null,
    error,
    retry: () => void (found.error ? found.refetch() : pages.data ? pages.fetchNextPage() : pages.refetch()),
    isReading: found.isPending || pages.isFetching,
    hasMore: pages.hasNextPage,
    readMore: () => void pages.fetchNextPage(),
  };
}
