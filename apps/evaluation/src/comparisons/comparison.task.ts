import type { Task } from '@hone/threads';

import { compare } from './assembly/compare.js';
import type { ComparisonAnswer, ComparisonOrder } from './assembly/comparison-order.js';

/** Compares what was read of runs. */
export const TASK: Task<ComparisonOrder, ComparisonAnswer> = { module: import.meta.url, run: compare };
