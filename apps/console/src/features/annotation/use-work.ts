import type { LeaseDto, QueueDto, QueueItemDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { callRef } from '../../shared/data/refs.js';
import { NOTE } from '../../shared/feedback/feedback.js';
import type { Criterion } from './rubric.js';

/** Renewals per lease, so that one may fail. */
const RENEWALS_PER_LEASE = 3;

/** Name of a criterion -> answer. */
export type Answers = ReadonlyMap<string, unknown>;

export interface Finish {
  readonly item: QueueItemDto;
  readonly state: 'completed' | 'skipped';
  readonly answers: Answers;
  readonly note: string;
}

/** Claims items one after the other, and stores what the annotator says of them. */
export function useWork(queue: QueueDto, rubric: readonly Criterion[]) {
  const project = useProject();
  const queries = useQueryClient();
  const [round, setRound] = useState(0);
  const [done, setDone] = useState(0);
  // What is stored already of an item that could not be completed: trying again does not store it twice.
  const stored = useRef('');
  const params = { queue_id: queue.id };
  const claim = useQuery({
    queryKey: ['claim', project.id, queue.id, round],
    queryFn: ({ signal }) => hone.trace.claimAnnotationQueueItem(params, { project_id: project.id }, { signal }),
    ...{ staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  });
  const next = () => setRound((before) => before + 1);
  const finishing = useMutation({
    mutationFn: async ({ item, state, answers, note }: Finish) => {
      const batch = state === 'skipped' ? [] : toFeedbackBatch(project.id, item, rubric, answers, note);
      const text = `${item.id} ${JSON.stringify(batch)}`;
      if (batch.length > 0 && stored.current !== text) {
        await hone.trace.createFeedbackBatch({ batch: batch as never });
        stored.current = text;
      }
      await hone.trace.updateAnnotationProgress(
        { ...params, item_id: item.id },
        { project_id: project.id, annotation_state: state },
      );
    },
    onSuccess: () => {
      setDone((before) => before + 1);
      next();
      void queries.invalidateQueries({ queryKey: ['queue statistics', project.id] });
    },
  });
  return { claim, next, finishing, done: done + (finishing.isPending ? 1 : 0) };
}

function toFeedbackBatch(
  project_id: string,
  item: QueueItemDto,
  rubric: readonly Criterion[],
  answers: Answers,
  note: string,
) {
  const common = { project_id, queue_id: item.queue_id, trace_ref: callRef(project_id, item.call_id) };
  const said = rubric.map(({ name, ref }) => ({
    ...common,
    ...{ feedback_type: `hone.annotation.${name}`, annotation_ref: ref, payload: { value: answers.get(name) } },
  }));
  const text = note.trim();
  return text === '' ? said : [...said, { ...common, feedback_type: NOTE, payload: { note: text } }];
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
