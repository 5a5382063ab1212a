import { isJsonObject } from '@hone/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { callRef } from '../../../shared/data/refs.js';
import { type AnswerPair, pairsOf, type SaidPreference, shuffled } from './answer-pairs.js';

const PREFERENCE = 'hone.preference.1';
/** Of a queue, the first ones. */
const MAX_CALLS = 500;
const PAGE = 100;
const MAX_SAID = 10_000;

/** Reads the pairs of a queue that nobody has judged, in the order of its items. */
async function readPairs(projectId: string, queueId: string, signal: AbortSignal): Promise<AnswerPair[]> {
  const call_ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null && call_ids.length < MAX_CALLS;) {
    const body = { project_id: projectId, cursor, limit: PAGE };
    const { items, next_cursor } = await hone.trace.queryAnnotationQueueItems({ queue_id: queueId }, body, { signal });
    call_ids.push(...items.map((item) => item.call_id));
    cursor = next_cursor ?? null;
  }
  if (call_ids.length === 0) return [];
  const columns = ['id', 'inputs', 'output'];
  const calls = hone.trace.queryCalls({ project_id: projectId, filter: { call_ids }, columns }, { signal });
  const found = new Map<string, { id: string; inputs: unknown; output: unknown }>();
  for await (const { id, inputs, output } of calls) found.set(id, { id, inputs, output });
  const said = await readSaid(projectId, signal);
  return pairsOf(
    call_ids.flatMap((id) => found.get(id) ?? []),
    said,
  );
}

async function readSaid(projectId: string, signal: AbortSignal): Promise<SaidPreference[]> {
  const query = { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: PREFERENCE }] } };
  const body = { project_id: projectId, query, fields: ['payload'], limit: MAX_SAID };
  const { result } = await hone.trace.queryFeedback(body as never, { signal });
  return result.flatMap(({ payload }) =>
    isJsonObject(payload) && typeof payload['chosen'] === 'string' && typeof payload['rejected'] === 'string'
      ? [{ chosen: payload['chosen'], rejected: payload['rejected'] }]
      : [],
  );
}

/** Pair after pair of a queue, each in an order of its own. */
export function usePairs(queueId: string) {
  const project = useProject();
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState(0);
  const read = useQuery({
    queryKey: ['answer pairs', project.id, queueId],
    queryFn: async ({ signal }) => (await readPairs(project.id, queueId, signal)).map((pair) => shuffled(pair)),
    ...{ staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  });
  const choosing = useMutation({
    mutationFn: ({ better, worse }: { readonly better: string; readonly worse: string }) => {
      const [one, other] = [callRef(project.id, better), callRef(project.id, worse)];
      return hone.trace.createFeedback({
        ...{ project_id: project.id, trace_ref: one, feedback_type: PREFERENCE },
        payload: { chosen: one, rejected: other },
      });
    },
    onSuccess: () => {
      setAt(at + 1);
      setChosen(chosen + 1);
    },
  });
  return {
    ...{ read, choosing, chosen },
    /** The answers that are shown; undefined: none is left. */
    shown: read.data?.[at],
    left: Math.max(0, (read.data?.length ?? 0) - at),
    choose: (better: string, worse: string) => {
      if (!choosing.isPending) choosing.mutate({ better, worse });
    },
    skip: () => {
      if (!choosing.isPending) setAt(at + 1);
    },
    again: () => {
      setAt(0);
      void read.refetch();
    },
  };
}
