import { scheduleFactor } from './learning-rate-schedule.js';
import { noTrainableTokens } from './no-trainable-tokens.js';
import { pack } from './packing.js';
import { TooManyStepsError } from './plan.errors.js';
import type { Plan, PlanRow } from './plan.js';
import { planDigest } from './plan-lines.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import type { RlConfig } from './rl-config.js';
import { countRl, reportTrajectories } from './rl-counts.js';
import { draftTrajectories } from './rl-drafts.js';
import { toRlRow, type WeighedSequences, weighSequences } from './rl-rows.js';
import { type ChosenSequence, rowLengthFor, type Selection, selectSequences } from './rl-selection.js';
import { SplitMix64 } from './split-mix64.js';
import type { TrajectoryGroupInput } from './trajectory-input.js';

/** The limit of fine-tuning: each step has an event. */
const MAX_STEPS = 1_000_000;

export interface RlPlanningContext {
  readonly tokenizer: PlanningTokenizer;
  /** Most tokens that the engine takes in one sequence. */
  readonly contextLength: number;
  /** Step of the checkpoint that is trained on; 0: the base model. */
  readonly parentStep: number;
}

/**
 * Plans a reinforcement learning job: which tokens are trained, with which advantages and weights, in which rows. The
 * order in which groups, and trajectories in a group, were sent does not matter. Equal rewards and empty groups are no
 * error: the plan then has no rows.
 *
 * @param groups plain JSON (numbers as doubles), checked for shape
 * @throws RewardOverflowError, LogprobLengthMismatchError, TokenOutOfVocabError, LogprobInvalidError,
 *   TokenIdsMissingError, TemplateNotPrefixError, TemplateRefusedError: what is wrong with the data, and where
 * @throws NoTrainableTokensError rewards differ, and no trajectory that matters has a token to train
 */
export function planRl(
  groups: readonly TrajectoryGroupInput[],
  config: RlConfig,
  { tokenizer, contextLength, parentStep }: RlPlanningContext,
): Plan {
  const drafts = draftTrajectories(groups, config, tokenizer);
  const rowLength = rowLengthFor(drafts, config.packed_sequence_length);
  const selected = selectSequences(drafts, Math.min(rowLength, contextLength));
  const hasAdvantage = selected.reasons.some((reason) => reason !== 'zero_advantage');
  if (hasAdvantage && selected.groups.length === 0) throw noTrainableTokens(drafts, selected.reasons);
  const weighed = weighSequences(selected.groups);
  const selection = weighed ? selected : withoutAdvantage(selected);
  const minibatches = pack(selection.groups, rowLength, config.minibatch_size);
  const packed = new SplitMix64(config.seed + parentStep).shuffle(minibatches);
  const steps = packed.length * config.n_epochs;
  if (steps > MAX_STEPS) throw new TooManyStepsError(steps, MAX_STEPS, 'minibatch_size');
  const rows = weighed ? rowsOf(packed, weighed, config, parentStep) : [];
  const rewards = drafts.map(({ reward }) => reward);
  return {
    rows,
    validation: [],
    digest: planDigest(rows),
    counts: countRl(groups.length, selection, rewards, config.n_epochs),
    trajectories: reportTrajectories(drafts, selection),
    droppedLines: [],
  };
}

/** Each later epoch repeats the rows of the first in the same order: its ratios are those to the sampling policy, too. */
function rowsOf(
  packed: readonly (readonly ChosenSequence[])[],
  weighed: WeighedSequences,
  config: RlConfig,
  parentStep: number,
): PlanRow[] {
  const steps = packed.length * config.n_epochs;
  return Array.from({ length: steps }, (_, row) => {
    const first = row % packed.length;
    const learningRate = config.learning_rate * scheduleFactor(config, row, steps);
    const sequences = packed[first] as readonly ChosenSequence[];
    const planned = toRlRow(row, sequences, weighed, { ...config, learning_rate: learningRate }, parentStep);
    return row === first ? planned : { ...planned, repeats: first };
  });
}

/** Drops all trajectories: their advantages are so small that their mean is 0. */
function withoutAdvantage({ reasons }: Selection): Selection {
  return { reasons: reasons.map((reason) => reason ?? 'zero_advantage'), groups: [] };
}
