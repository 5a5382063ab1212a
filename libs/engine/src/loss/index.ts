export type { LossSequence } from './loss-sequence.js';
export type { LossSettings, RlLoss } from './loss-settings.js';
export { rowLoss } from './row-loss.js';
export {
  type PreferenceFindings,
  preferenceLoss,
  type PreferenceLoss,
  type PreferenceRole,
  type PreferenceSequence,
} from './preference/index.js';
