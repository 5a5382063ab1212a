import type { TrainingJobEventDto } from '@hone/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { hone } from '../../shared/data/hone.js';

/** Events that come at once are shown at once. */
const BATCH_MS = 150;
const NONE: readonly TrainingJobEventDto[] = [];
const NO_EVENTS: ReadonlyMap<string, readonly TrainingJobEventDto[]> = new Map();

/** Names what is known of a job. */
export const jobKey = (id: string): readonly string[] => ['job', id];

/** The events of a job as they happen, from its first on. The job itself is read again whenever its standing changes. */
export function useJobEvents(jobId: string) {
  const { events, error } = useEventsOfJobs([jobId]);
  return { events: events.get(jobId) ?? NONE, error };
}

/** The same of several jobs, by their ids. */
export function useEventsOfJobs(jobIds: readonly string[]) {
  const [events, setEvents] = useState(NO_EVENTS);
  const [error, setError] = useState<unknown>(null);
  const queries = useQueryClient();
  const ids = jobIds.join();
  useEffect(() => {
    const controller = new AbortController();
    const pending: [jobId: string, event: TrainingJobEventDto][] = [];
    const show = () => {
      const added = pending.splice(0);
      if (added.length > 0) setEvents((before) => withEvents(before, added));
    };
    const timer = setInterval(show, BATCH_MS);
    const follow = async (jobId: string) => {
      const updates = hone.training.followTrainingJob({ training_job_id: jobId }, { signal: controller.signal });
      for await (const update of updates) {
        if (update.kind === 'event') pending.push([jobId, update.event]);
        else await queries.invalidateQueries({ queryKey: jobKey(jobId) });
      }
      show();
      await queries.invalidateQueries({ queryKey: jobKey(jobId) });
    };
    for (const jobId of ids.split(',').filter(Boolean))
      follow(jobId).catch((caught: unknown) => {
        if (!controller.signal.aborted) setError(caught);
      });
    return () => {
      controller.abort();
      clearInterval(timer);
      setEvents(NO_EVENTS);
      setError(null);
    };
  }, [ids, queries]);
  return { events, error };
}

function withEvents(
  before: ReadonlyMap<string, readonly TrainingJobEventDto[]>,
  added: readonly [jobId: string, event: TrainingJobEventDto][],
): ReadonlyMap<string, readonly TrainingJobEventDto[]> {
  const after = new Map(before);
  for (const jobId of new Set(added.map(([id]) => id))) {
    const own = added.flatMap(([id, event]) => (id === jobId ? [event] : []));
    after.set(jobId, [...(before.get(jobId) ?? []), ...own]);
  }
  return after;
}
