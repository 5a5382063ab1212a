export * from './evaluation-jobs.dto.js';
export * from './monitors.dto.js';
export * from './reports.dto.js';
export * from './scorer-kinds.dto.js';
export * from './scorer-library.dto.js';
export * from './scorings.dto.js';
export * from './try-scorer.dto.js';
