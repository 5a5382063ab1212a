import type { TrainingConfig } from './training-config.js';

type Schedule = Pick<TrainingConfig, 'lr_schedule' | 'warmup_steps' | 'warmup_ratio'>;

/**
 * Factor of the learning rate at a gradient step. It depends on the step and the number of steps alone, so that a
 * resumed job goes on with the same rates.
 *
 * Sources: the warm-up is that of nanoGPT (`get_lr`), whose first step is not wasted on a rate of 0; the decay is that
 * of Hugging Face transformers (`get_linear_schedule_with_warmup`, `get_cosine_schedule_with_warmup`).
 *
 * @param index of the step, from 0
 * @param total gradient steps of the job
 */
export function scheduleFactor(schedule: Schedule, index: number, total: number): number {
  const warmup = warmupSteps(schedule, total);
  if (index < warmup) return (index + 1) / (warmup + 1);
  const progress = (index - warmup) / Math.max(1, total - warmup);
  switch (schedule.lr_schedule) {
    case 'constant':
      return 1;
    case 'linear':
      return 1 - progress;
    case 'cosine':
      return 0.5 * (1 + Math.cos(Math.PI * progress));
  }
}

const warmupSteps = ({ warmup_steps, warmup_ratio }: Schedule, total: number): number =>
  warmup_steps ?? Math.ceil(total * (warmup_ratio ?? 0));
