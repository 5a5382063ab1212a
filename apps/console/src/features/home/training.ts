import type { TrainingJobDto } from '@hone/client';

const SHOWN = 5;
const ENDED = ['succeeded', 'failed', 'cancelled'];

type Job = Pick<TrainingJobDto, 'status' | 'created_at' | 'finished_at' | 'produced_checkpoint'>;

const isOpen = ({ status }: Job): boolean => !ENDED.includes(status);

/** Jobs that run or wait come first, whenever they were made; then those that were made since. @param jobs newest first */
export const newestJobs = <J extends Job>(jobs: readonly J[], start: string): readonly J[] =>
  [...jobs.filter(isOpen), ...jobs.filter((job) => !isOpen(job) && isSince(job.created_at, start))].slice(0, SHOWN);

/** Jobs that made a checkpoint since, by when they ended, the newest first. */
export const newestCheckpoints = <J extends Job>(jobs: readonly J[], start: string): readonly J[] =>
  jobs
    .filter((job) => job.produced_checkpoint !== null && isSince(endOf(job), start))
    .sort((a, b) => Date.parse(endOf(b)) - Date.parse(endOf(a)))
    .slice(0, SHOWN);

const endOf = ({ finished_at, created_at }: Job): string => finished_at ?? created_at;

const isSince = (time: string, start: string): boolean => Date.parse(time) >= Date.parse(start);
