import { setTimeout as sleep } from 'node:timers/promises';

import type { HoneClient } from './hone-client.js';
import type { JobEvent, Page, TrainingJob } from './wire.js';

const POLL_MS = 250;
const PREVIEW = '/v1/preview';

/** A finished job, with all its events. */
export interface EndedJob {
  readonly job: TrainingJob;
  readonly steps: readonly Readonly<Record<string, number>>[];
}

/** The job ended without a checkpoint. */
export class JobFailedError extends Error {}

/**
 * Follows a job's events to the last one.
 *
 * @param onProgress gradient steps done, and how many there will be (0: not known yet)
 * @throws JobFailedError
 */
export async function followJob(
  client: HoneClient,
  jobId: string,
  onProgress: (done: number, total: number) => void,
): Promise<EndedJob> {
  const steps: Readonly<Record<string, number>>[] = [];
  let total = 0;
  let after = '';
  for (;;) {
    const page = await client.get<Page<JobEvent>>(`${PREVIEW}/training-jobs/${jobId}/events?limit=100&after=${after}`);
    for (const { type, data } of page.data) {
      if (type === 'training_started') total = Number(data['num_sequences']);
      if (type === 'gradient_step') steps.push(data as Record<string, number>);
      if (type === 'training_failed') throw new JobFailedError(String(data['error_message']));
      if (type === 'training_ended') return { job: await client.get(`${PREVIEW}/training-jobs/${jobId}`), steps };
      onProgress(steps.length, total);
    }
    after = page.last_id || after;
    if (!page.has_more) await sleep(POLL_MS);
  }
}
