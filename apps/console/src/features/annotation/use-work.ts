import type { LeaseDto, QueueDto, QueueItemDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import type { Criterion } from '../../shared/annotation/rubric.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { type Finish, Finishing, type Judgement, NO_JUDGEMENT } from './finish.js';

/** Renewals per lease, so that one may fail. */
const RENEWALS_PER_LEASE = 3;

/** An item that was judged or skipped since the page was opened. */
export interface DoneItem extends Finish {
  readonly isStored: boolean;
  /** Why it could not be stored; null: it is, or may still be. */
  readonly error: Error | null;
}

/**
 * Claims items one after the other, the next one while one is judged, and stores what the annotator says of them
 * meanwhile. What could not be stored is shown again.
 */
export function useWork(queue: QueueDto, rubric: readonly Criterion[]) {
  const project = useProject();
  const queries = useQueryClient();
  const [finishing] = useState(() => new Finishing(project.id, rubric));
  const [done, setDone] = useState<readonly DoneItem[]>([]);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Judgement>>(new Map());
  const isStoring = done.some(({ isStored, error }) => !isStored && error === null);
  const { claim, ahead, next } = useClaims(queue, isStoring);
  // Of an item that is done: null is the one that is claimed.
  const [shownId, setShownId] = useState<string | null>(null);
  const change = (id: string, to: Partial<DoneItem>) =>
    setDone((before) => before.map((one) => (one.item.id === id ? { ...one, ...to } : one)));
  const storing = useMutation({
    mutationFn: (one: Finish) => finishing.finish(one),
    onError: (error, { item }) => {
      change(item.id, { error });
      setShownId(item.id);
    },
    onSuccess: (_nothing, { item }) => {
      change(item.id, { isStored: true });
      return queries.invalidateQueries({ queryKey: ['queue statistics', project.id] });
    },
  });
  const finish = (one: Finish) => {
    const entry = { ...one, isStored: false, error: null };
    const isKnown = done.some(({ item }) => item.id === one.item.id);
    const after = isKnown ? done.map((each) => (each.item.id === one.item.id ? entry : each)) : [...done, entry];
    setDone(after);
    setShownId(after.find(({ error }) => error !== null)?.item.id ?? null);
    storing.mutate(one);
    if (one.item.id === claim.data?.item?.id) next();
  };
  const at = shownId === null ? done.length : done.findIndex(({ item }) => item.id === shownId);
  const show = (index: number) => setShownId(done[index]?.item.id ?? null);
  return {
    ...{ claim, next, finish, done, upcoming: ahead.data?.item ?? null },
    /** Of the items that are done; null: the claimed one is shown. */
    shown: done[at] ?? null,
    back: at > 0 ? () => show(at - 1) : null,
    forward: at < done.length ? () => show(at + 1) : null,
    judgementOf: ({ id }: QueueItemDto) => drafts.get(id) ?? NO_JUDGEMENT,
    judge: ({ id }: QueueItemDto, judgement: Judgement) => setDrafts((before) => new Map(before).set(id, judgement)),
  };
}

/**
 * The item in work, and the one after it, whose lease is prolonged as long as the page is open. @param isStoring an item
 * that is done may still be leased, and would be given again
 */
function useClaims(queue: QueueDto, isStoring: boolean) {
  const project = useProject();
  const [round, setRound] = useState(0);
  const claiming = (of: number, besides_item_id: string | null) => ({
    queryKey: ['claim', project.id, queue.id, of],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      hone.trace.claimAnnotationQueueItem(
        { queue_id: queue.id },
        { project_id: project.id, besides_item_id },
        { signal },
      ),
    ...{ staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  });
  const claim = useQuery({ ...claiming(round, null), enabled: !isStoring });
  const itemId = claim.data?.item?.id ?? null;
  const ahead = useQuery({
    ...claiming(round + 1, itemId),
    enabled: itemId !== null && !isStoring,
    refetchInterval: (queue.lease_seconds * 1_000) / RENEWALS_PER_LEASE,
    refetchIntervalInBackground: true,
  });
  useReleased(queue, ahead.data?.item ?? null, ahead.data?.lease ?? null);
  // What had nothing some time ago is asked anew.
  const next = () => setRound(ahead.data?.item === null ? round + 2 : round + 1);
  return { claim, ahead, next };
}

/** Releases the item that nobody has begun to judge when the page is left. */
function useReleased(queue: QueueDto, item: QueueItemDto | null, lease: LeaseDto | null) {
  const project = useProject();
  const held = useRef<() => void>(() => undefined);
  useEffect(() => {
    held.current = () => {
      if (!item || !lease) return;
      const params = { queue_id: queue.id, item_id: item.id };
      // One that cannot be released ends by itself.
      hone.trace.releaseAnnotationLease(params, { project_id: project.id, lease_id: lease.id }).catch(() => undefined);
    };
  }, [project.id, queue.id, item, lease]);
  useEffect(() => () => held.current(), []);
}

/** Keeps a claimed item reserved while it is worked on. */
export function useLease(queue: QueueDto, itemId: string, lease: LeaseDto) {
  const project = useProject();
  return useQuery({
    queryKey: ['lease', lease.id],
    queryFn: async ({ signal }) => {
      const body = { project_id: project.id, lease_id: lease.id };
      const params = { queue_id: queue.id, item_id: itemId };
      return (await hone.trace.renewAnnotationLease(params, body, { signal })).lease;
    },
    initialData: lease,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.error ? false : (queue.lease_seconds * 1_000) / RENEWALS_PER_LEASE),
    // An annotator who looks something up in another tab is still at it.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
  });
}
