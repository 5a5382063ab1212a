import type { GenerationJob } from './generation-job.js';

/** Priority queue of jobs with choices that are not started: lowest `priority` first, ties by arrival. */
export class JobQueue {
  private jobs: GenerationJob[] = [];

  get length(): number {
    return this.jobs.length;
  }

  add(job: GenerationJob): void {
    const after = this.jobs.findIndex((other) => comesBefore(job, other));
    this.jobs.splice(after === -1 ? this.jobs.length : after, 0, job);
  }

  first(): GenerationJob | null {
    return this.jobs[0] ?? null;
  }

  removeFirst(): void {
    this.jobs.shift();
  }

  /** Removes aborted and failed jobs. */
  purge(): void {
    this.jobs = this.jobs.filter((job) => !job.isOver);
  }
}

function comesBefore(a: GenerationJob, b: GenerationJob): boolean {
  return (
    a.request.priority - b.request.priority < 0 || (a.request.priority === b.request.priority && a.arrival < b.arrival)
  );
}
