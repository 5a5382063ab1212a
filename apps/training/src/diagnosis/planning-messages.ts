import type { RlCase } from './diagnose-rl.js';
import type { SftCase } from './diagnose-sft.js';

/** What a planning process is to do: it gets one case and ends. */
export type PlanningCase = ({ readonly kind: 'rl' } & RlCase) | ({ readonly kind: 'sft' } & SftCase);
