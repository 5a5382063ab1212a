export { builtUrl } from './built-url.js';
export { collectGarbage } from './collect-garbage.js';
export { fromPieces, toPieces } from './pieces.js';
export { type MaxWait, Slots } from './slots.js';
export type { Task } from './task.js';
export { type RunOptions, TaskThreads, type TaskThreadsOptions } from './task-threads.js';
