export type { LossSequence } from './loss-sequence.js';
export type { LossSettings, RlLoss } from './loss-settings.js';
export { rowLoss, type RowLoss } from './row-loss.js';
