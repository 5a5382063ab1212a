import type { Task } from '@hone/threads';

import { dueLooks, type GateLook } from '../decision/gate-looks.js';
import type { GatePair } from '../decision/gate-pair.js';
import type { GateRules } from '../decision/gate-rules.js';

export interface LooksOrder {
  readonly settled: readonly GatePair[];
  readonly rules: GateRules;
  readonly done: readonly GateLook[];
  readonly isLast: boolean;
}

/** Looks at the pairs of a gate: intervals take seconds of a processor where there are thousands. */
export const TASK: Task<LooksOrder, GateLook[]> = {
  module: import.meta.url,
  run: ({ settled, rules, done, isLast }) => dueLooks(settled, rules, done, isLast),
};
