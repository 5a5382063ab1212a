import { balanced, groupAdvantages } from './advantages.js';
import { Findings } from './findings.js';
import { type Finding, RewardOverflowError } from './plan.errors.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import type { RlConfig } from './rl-config.js';
import type { TrajectoryGroupInput } from './trajectory-input.js';
import { readTrajectory, type TrajectoryTokens } from './trajectory-sequences.js';

/** A parsed trajectory: its trainable sequences and its advantage. */
export interface TrajectoryDraft extends TrajectoryTokens {
  /** Positions in the input. */
  readonly group: number;
  readonly index: number;
  readonly reward: number;
  /** Within its group. */
  readonly advantage: number;
  /** After balance; 0: not to be trained. */
  readonly balancedAdvantage: number;
  readonly initialPolicyVersion: number | null;
}

/**
 * Reads all groups.
 *
 * @throws RewardOverflowError
 * @throws LogprobLengthMismatchError, TokenOutOfVocabError, LogprobInvalidError in any trajectory
 * @throws TokenIdsMissingError, TemplateNotPrefixError, TemplateRefusedError in a trajectory with an advantage
 */
export function draftTrajectories(
  groups: readonly TrajectoryGroupInput[],
  config: RlConfig,
  tokenizer: PlanningTokenizer,
): TrajectoryDraft[] {
  const advantages = allAdvantages(groups, config.normalize_advantages && config.scale_rewards);
  const findings = new Findings();
  const rules = { tokenizer, allowWithoutLogprobs: config.allow_training_without_logprobs };
  const drafts = groups.flatMap(({ trajectories = [] }, group) =>
    trajectories.map((trajectory, index) => {
      const advantage = advantages[group]?.[index] ?? 0;
      const balancedAdvantage = balanced(advantage, config.advantage_balance);
      const found = new Findings();
      const tokens = readTrajectory(trajectory, locOf({ group, index }), rules, found);
      findings.merge(found, balancedAdvantage !== 0);
      const { reward = 0, initial_policy_version = null } = trajectory;
      const initialPolicyVersion = initial_policy_version;
      return { ...tokens, group, index, reward, advantage, balancedAdvantage, initialPolicyVersion };
    }),
  );
  findings.throwIfAny();
  return drafts;
}

export const locOf = ({ group, index }: { group: number; index: number }): Finding['loc'] => [
  'trajectory_groups',
  group,
  'trajectories',
  index,
];

function allAdvantages(groups: readonly TrajectoryGroupInput[], scaled: boolean): number[][] {
  const overflows: Finding[] = [];
  const advantages = groups.map(({ trajectories = [] }, group) => {
    const found = groupAdvantages(
      trajectories.map(({ reward = 0 }) => reward),
      scaled,
    );
    if (!found) overflows.push({ loc: ['trajectory_groups', group], detail: 'the rewards' });
    return found ?? [];
  });
  if (overflows.length > 0) throw new RewardOverflowError(overflows);
  return advantages;
}
