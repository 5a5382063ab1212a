import type { TrainingJobEventDto } from '@hone/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { hone } from '../../shared/data/hone.js';

/** Events that come at once are shown at once. */
const BATCH_MS = 150;

/** Names what is known of a job. */
export const jobKey = (id: string): readonly string[] => ['job', id];

/** The events of a job as they happen, from its first on. The job itself is read again whenever its standing changes. */
export function useJobEvents(jobId: string) {
  const [events, setEvents] = useState<readonly TrainingJobEventDto[]>([]);
  const [error, setError] = useState<unknown>(null);
  const queries = useQueryClient();
  useEffect(() => {
    const controller = new AbortController();
    const pending: TrainingJobEventDto[] = [];
    const show = () => {
      const added = pending.splice(0);
      if (added.length > 0) setEvents((before) => [...before, ...added]);
    };
    const timer = setInterval(show, BATCH_MS);
    const follow = async () => {
      const updates = hone.training.followTrainingJob({ training_job_id: jobId }, { signal: controller.signal });
      for await (const update of updates) {
        if (update.kind === 'event') pending.push(update.event);
        else await queries.invalidateQueries({ queryKey: jobKey(jobId) });
      }
      show();
      await queries.invalidateQueries({ queryKey: jobKey(jobId) });
    };
    follow().catch((caught: unknown) => {
      if (!controller.signal.aborted) setError(caught);
    });
    return () => {
      controller.abort();
      clearInterval(timer);
      setEvents([]);
    };
  }, [jobId, queries]);
  return { events, error };
}
