import type { TrainingJobDto } from '@hone/client';

/** What a training job does, in words. */
export const JOB_KINDS: Readonly<Record<TrainingJobDto['kind'], string>> = {
  rl: 'reinforcement learning',
  sft: 'fine-tuning',
  preference: 'learning from preferences',
};

/** What a training job learns from, in a word. */
export const JOB_DATA: Readonly<Record<TrainingJobDto['kind'], string>> = {
  rl: 'rewards',
  sft: 'examples',
  preference: 'preferences',
};
