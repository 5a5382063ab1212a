import { TRAINING_JOB_EVENT_TYPES } from '@hone/contracts';
import { type Database, Prisma } from '@hone/database';

import { isLastEvent } from './job-events.js';
import { ACTIVE_STATUSES, TERMINAL_STATUSES } from './job-statuses.sql.js';

/** For `type IN …`: the types of event after which a job has no other. */
const LAST_EVENTS = Prisma.raw(
  `(${TRAINING_JOB_EVENT_TYPES.filter(isLastEvent)
    .map((type) => `'${type}'`)
    .join(', ')})`,
);

/** A job, or a model, whose rows contradict each other. There should be none, ever. */
export interface BrokenInvariant {
  readonly invariant: string;
  /** Of the job or the model. */
  readonly id: string;
}

/**
 * Looks for rows that no order of events may leave behind. Cheap enough for each night, too much for each minute: it
 * reads all events.
 */
export async function findBrokenInvariants({ client }: Database): Promise<BrokenInvariant[]> {
  return client.$queryRaw`
    WITH history AS (
      SELECT job_id, count(*) AS events, min(seq) AS first_seq, max(seq) AS last_seq,
        count(*) FILTER (WHERE type IN ${LAST_EVENTS}) AS endings,
        count(*) FILTER (WHERE type = 'training_ended') AS successes,
        count(*) FILTER (WHERE type = 'training_started') AS starts,
        count(*) FILTER (WHERE type = 'gradient_step') AS steps,
        min(seq) FILTER (WHERE type IN ${LAST_EVENTS}) AS ending_seq,
        min(seq) FILTER (WHERE type = 'training_started') AS start_seq,
        max(gradient_index) AS last_index
      FROM training_job_events GROUP BY job_id),
    job AS (
      SELECT j.*, status IN ${TERMINAL_STATUSES} AS is_over,
        status IN ${ACTIVE_STATUSES} AS is_active, t.*
      FROM training_jobs j LEFT JOIN history t ON t.job_id = j.id)
    SELECT 'a job that is over, and no other, has one event that says so, the last one' AS invariant, id::text
      FROM job WHERE coalesce(endings, 0) <> is_over::int OR ending_seq <> last_seq
        OR (status = 'succeeded') <> (coalesce(successes, 0) = 1)
    UNION ALL SELECT 'events are numbered without a gap', id::text
      FROM job WHERE coalesce(events, 0) <> next_event_seq OR first_seq <> 0 OR last_seq <> next_event_seq - 1
    UNION ALL SELECT 'training_started comes once and first', id::text
      FROM job WHERE starts > 1 OR start_seq <> 0 OR (steps > 0 AND starts = 0) OR (successes > 0 AND starts = 0)
    UNION ALL SELECT 'each gradient step has one event', id::text
      FROM job WHERE coalesce(steps, 0) <> steps_done OR coalesce(last_index, 0) <> steps_done
    UNION ALL SELECT 'a job that succeeded has made all its steps', id::text
      FROM job WHERE status = 'succeeded' AND steps_done IS DISTINCT FROM num_sequences
    UNION ALL SELECT 'checkpoints on the way come before the last step of their job', j.id::text
      FROM job j JOIN checkpoints c ON c.project_id = j.project_id AND c.job_id = j.id
      WHERE c.id IS DISTINCT FROM j.produced_id AND (c.gradient_step IS NULL OR c.gradient_step < 1
        OR c.gradient_step > j.steps_done OR (c.gradient_step >= j.num_sequences AND j.rollouts IS NULL) OR c.step >= j.produced_step)
    UNION ALL SELECT 'a job has produced a checkpoint exactly when it succeeded', j.id::text
      FROM job j LEFT JOIN checkpoints c ON c.project_id = j.project_id AND c.job_id = j.id AND c.id = j.produced_id
      WHERE (j.status = 'succeeded') <> (c.id IS NOT NULL)
        OR (j.produced_id, j.produced_step) IS DISTINCT FROM (c.id, c.step)
    UNION ALL SELECT 'a model has one active job at most', model_id::text
      FROM job WHERE is_active GROUP BY model_id HAVING count(*) > 1
    UNION ALL SELECT 'jobs of a model run in the order they were created', later.id::text
      FROM training_jobs later JOIN training_jobs earlier
        ON earlier.project_id = later.project_id AND earlier.model_id = later.model_id AND earlier.ordinal < later.ordinal
      WHERE later.started_at < coalesce(earlier.finished_at, 'infinity')
    UNION ALL SELECT 'an active job, and no other, has a lease', id::text
      FROM job WHERE is_active <> (lease_owner IS NOT NULL) OR is_active <> (lease_expires_at IS NOT NULL)
    UNION ALL SELECT 'a job that is over, and no other, has an end', id::text
      FROM job WHERE is_over <> (finished_at IS NOT NULL) OR (is_over AND status <> 'succeeded') <> (error IS NOT NULL)
    UNION ALL SELECT 'a job that is over pins no checkpoint', j.id::text
      FROM job j JOIN checkpoint_pins p ON p.project_id = j.project_id AND p.holder = 'job:' || j.id WHERE is_over
    UNION ALL SELECT 'the last step of a model is the highest that was given', m.id::text
      FROM trainable_models m LEFT JOIN checkpoints c ON c.project_id = m.project_id AND c.model_id = m.id
      GROUP BY m.project_id, m.id HAVING m.last_step < coalesce(max(c.step), 0)
    ORDER BY 1, 2`;
}
