export { groupAdvantages } from './advantages.js';
export { type LineWarning, warnOfDroppedLines, warnOfLines, warnOfRewards, warnOfStaleness } from './data-warnings.js';
export { planLines, readPlanLine, readValidationLine, toPlanLine } from './plan-lines.js';
export { type SettingWarning, warnOfLearningRate, withLearningRate } from './learning-rates.js';
export { planRl } from './plan-rl.js';
export { planPreference } from './plan-preference.js';
export { planSft } from './plan-sft.js';
export * from './plan.errors.js';
export type { DropReason, Plan, PlanCounts, PlannedSequence, PlanRow, TrajectoryReport } from './plan.js';
export { type PlanningTokenizer, planningTokenizerOf } from './planning-tokenizer.js';
export {
  type PreferenceConfig,
  type PreferenceConfigInput,
  type PreferenceLossConfig,
  resolvePreferenceConfig,
} from './preference-config.js';
export { type PromptLine, readPromptLine, readPromptLines } from './prompt-lines.js';
export { resolveRlConfig, type RlConfig, type RlConfigInput } from './rl-config.js';
export { resolveSftConfig, type SftConfig, type SftConfigInput } from './sft-config.js';
export { readGroupLines } from './rl-lines.js';
export { splitLines } from './split-lines.js';
export type { LoraConfig } from './training-config.js';
export { isChoice, type ChoiceInput, type TrajectoryGroupInput, type TrajectoryInput } from './trajectory-input.js';
