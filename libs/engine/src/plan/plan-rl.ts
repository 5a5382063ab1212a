import { scheduleFactor } from './learning-rate-schedule.js';
import { noTrainableTokens } from './no-trainable-tokens.js';
import { pack } from './packing.js';
import { planDigest } from './plan-lines.js';
import type { Plan } from './plan.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import type { RlConfig } from './rl-config.js';
import { countRl, reportTrajectories } from './rl-counts.js';
import { draftTrajectories } from './rl-drafts.js';
import { toRlRow, weighSequences } from './rl-rows.js';
import { rowLengthFor, selectSequences, type Selection } from './rl-selection.js';
import { SplitMix64 } from './split-mix64.js';
import type { TrajectoryGroupInput } from './trajectory-input.js';

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
  const packed = new SplitMix64(config.seed + parentStep).shuffle(pack(selection.groups, rowLength));
  const rows = weighed
    ? packed.map((sequences, row) => {
        const factor = scheduleFactor(config, row, packed.length);
        return toRlRow(
          row,
          sequences,
          weighed,
          { ...config, learning_rate: config.learning_rate * factor },
          parentStep,
        );
      })
    : [];
  return {
    rows,
    validation: [],
    digest: planDigest(rows),
    counts: countRl(groups.length, selection),
    trajectories: reportTrajectories(drafts, selection),
    droppedLines: [],
  };
}

/** Advantages so small that their mean is 0: as if they were. */
function withoutAdvantage({ reasons }: Selection): Selection {
  return { reasons: reasons.map((reason) => reason ?? 'zero_advantage'), groups: [] };
}
