import type { TrainingJobDto } from '@hone/client';

import { newestCheckpoints, newestJobs } from './training.js';

const START = '2026-11-20T10:00:00Z';
const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`;
const job = (id: string, status: string, made: number, ended: number | null = null, step: number | null = null) => {
  const times = { created_at: at(made), finished_at: ended === null ? null : at(ended) };
  const produced_checkpoint = step === null ? null : { id: `c${step}`, step };
  return { id, status, ...times, produced_checkpoint } as TrainingJobDto;
};
const ids = (jobs: readonly TrainingJobDto[]) => jobs.map(({ id }) => id).join('');

describe('training at a glance', () => {
  it('is the jobs that run, however old, and then those of the time', () => {
    const jobs = [job('1', 'succeeded', 11), job('2', 'failed', 9), job('3', 'running', 8), job('4', 'queued', 12)];
    expect(ids(newestJobs(jobs, START))).toBe('341');
    expect(
      newestJobs(
        Array.from({ length: 9 }, () => job('1', 'running', 8)),
        START,
      ),
    ).toHaveLength(5);
  });

  it('is the checkpoints that were made in the time, the newest first', () => {
    const jobs = [job('1', 'succeeded', 8, 11, 1), job('2', 'succeeded', 9, 9, 2), job('3', 'succeeded', 9, 12, 3)];
    expect(ids(newestCheckpoints([...jobs, job('4', 'failed', 12, 12)], START))).toBe('31');
  });
});
