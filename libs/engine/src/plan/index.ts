export { groupAdvantages } from './advantages.js';
export {
  type LineWarning,
  warnOfDroppedLines,
  warnOfNarrowLines,
  warnOfRewards,
  warnOfStaleness,
} from './data-warnings.js';
export { planLines, readPlanLine, readValidationLine, toPlanLine } from './plan-lines.js';
export {
  recommendedLearningRate,
  type SettingWarning,
  warnOfLearningRate,
  withLearningRate,
} from './learning-rates.js';
export { planRl, type RlPlanningContext } from './plan-rl.js';
export { planSft, type SftPlanningContext } from './plan-sft.js';
export * from './plan.errors.js';
export type { DropReason, Plan, PlanCounts, PlannedSequence, PlanRow, TrajectoryReport } from './plan.js';
export { trainedTokensOf } from './plan.js';
export type { PlanningTokenizer } from './planning-tokenizer.js';
export { planningTokenizerOf } from './planning-tokenizer-of.js';
export type { RewardStats } from './rewards.js';
export { resolveRlConfig, type RlConfig, type RlConfigInput } from './rl-config.js';
export { resolveSftConfig, type SftConfig, type SftConfigInput } from './sft-config.js';
export type { TrainingConfig } from './training-config.js';
export type { Lines } from './sft-lines.js';
export { readGroupLines } from './rl-lines.js';
export { splitLines } from './split-lines.js';
export { SplitMix64 } from './split-mix64.js';
export {
  isChoice,
  type ChoiceInput,
  type HistoryInput,
  type TrajectoryGroupInput,
  type TrajectoryInput,
} from './trajectory-input.js';
