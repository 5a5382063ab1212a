export * from './job-control.repository.js';
export * from './job-error.js';
export type * from './job-events.js';
export * from './job-notifications.js';
export * from './job-reader.repository.js';
export * from './job-reaper.repository.js';
export * from './job-record.js';
export * from './job-times.js';
