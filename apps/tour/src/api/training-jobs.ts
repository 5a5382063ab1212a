import type { Hone, TrainingJobDto } from '@hone/client';

/** A finished job, and what each of its gradient steps measured. */
export interface EndedJob {
  readonly job: TrainingJobDto;
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
  hone: Hone,
  jobId: string,
  onProgress: (done: number, total: number) => void,
): Promise<EndedJob> {
  const steps: Readonly<Record<string, number>>[] = [];
  let total = 0;
  for await (const update of hone.training.followTrainingJob({ training_job_id: jobId })) {
    if (update.kind === 'standing') continue;
    const { type, data } = update.event;
    if (type === 'training_started') total = Number(data['num_sequences']);
    if (type === 'gradient_step') steps.push(data as Record<string, number>);
    if (type === 'training_failed') throw new JobFailedError(String(data['error_message']));
    onProgress(steps.length, total);
  }
  return { job: await hone.training.getTrainingJob({ training_job_id: jobId }), steps };
}
