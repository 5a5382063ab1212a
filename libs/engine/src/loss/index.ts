export type { LossSequence } from './loss-sequence.js';
export type { LossSettings, RlLoss } from './loss-settings.js';
export { rowLoss } from './row-loss.js';
