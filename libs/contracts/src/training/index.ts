export * from './events.dto.js';
export * from './jobs.dto.js';
export * from './rl-config.dto.js';
export * from './sft-config.dto.js';
export * from './training-data-url.js';
export * from './training-job.dto.js';
export * from './trajectories.dto.js';
