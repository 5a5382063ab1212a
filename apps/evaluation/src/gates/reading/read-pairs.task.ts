import type { Task } from '@hone/threads';

import { type PairsOrder, type ReadPairs, readPairs } from './read-pairs.js';

/** Pairs what was read of a baseline and a candidate. */
export const TASK: Task<PairsOrder, ReadPairs> = { module: import.meta.url, run: readPairs };
