export * from './alias-splits.dto.js';
export * from './artifacts.dto.js';
export * from './checkpoint-aliases.dto.js';
export * from './checkpoints.dto.js';
export * from './diagnosis.dto.js';
export * from './engines-file.dto.js';
export * from './events.dto.js';
export * from './jobs.dto.js';
export * from './log.dto.js';
export * from './models.dto.js';
export * from './page.dto.js';
export * from './queries.dto.js';
export * from './rl-config.dto.js';
export * from './rollout-order.dto.js';
export * from './rollouts.dto.js';
export { EarlyStoppingDto, LinesConfigDto, MetricLoggingDto } from './lines-config.dto.js';
export * from './preference-config.dto.js';
export * from './sft-config.dto.js';
export * from './system.dto.js';
export * from './training-data-answers.dto.js';
export * from './training-data-url.js';
export * from './training-data.dto.js';
export {
  LORA_TARGETS,
  LoraConfigDto,
  LR_SCHEDULES,
  type LrSchedule,
  TrainingConfigDto,
} from './training-config.dto.js';
export * from './training-job.dto.js';
export * from './trajectories.dto.js';
export { IsRefName } from './ref-name.js';
