import type { PreferenceRole } from '../loss/index.js';
import type { RewardStats } from './rewards.js';

/** One sequence to train on. `ids`, `mask` and `old` are equally long. */
export interface PlannedSequence {
  readonly ids: readonly number[];
  /** 1: the token is trained, 0: context. The first token is never trained: nothing predicts it. */
  readonly mask: readonly (0 | 1)[];
  /** Log-probability under the policy that sampled the token; NaN where unknown or not trained. Null: fine-tuning. */
  readonly old: readonly number[] | null;
  /** Advantage of each trained token. Null: fine-tuning. */
  readonly adv: number | null;
  /** Weight of each trained token in the loss of its row; fine-tuning 1. Of preferences: of the pair or answer. */
  readonly weight: number;
  /** Its part in a row of preferences. Absent: other kinds of jobs. */
  readonly role?: PreferenceRole;
}

/** One optimiser step. Without sequences there is nothing to update: the step only gives its event. */
export interface PlanRow {
  /** 0, 1, 2, ... in the order of the steps. */
  readonly row: number;
  /** The row of the first epoch that has the same sequences. Absent: this one is no repetition. */
  readonly repeats?: number;
  readonly sequences: readonly PlannedSequence[];
  /** Trajectories (fine-tuning: lines) with a sequence in the row. */
  readonly numTrajectories: number;
  /** Learning rate of this step, before the factor that depends on logged rewards. */
  readonly learningRate: number;
  /** Mean of parent step - `initial_policy_version` over its trajectories that name one; null when none does. */
  readonly staleness: number | null;
  /** Rewards of the trajectories in the row. Absent: fine-tuning, and plans from before rewards were kept. */
  readonly rewards?: RewardStats;
}

/**
 * Why a line is left out. `assistant_first`: the chat template refuses conversations that the assistant begins;
 * `equal_answers`: the chosen and the rejected answer have the same tokens.
 */
export type LineDropReason = 'no_tokens' | 'too_long' | 'assistant_first' | 'equal_answers';

/** What to do about it. */
export const DROPPED_LINE_HINTS: Readonly<Record<LineDropReason, string>> = {
  too_long: 'Shorten the conversations, or cut them into several lines.',
  no_tokens: 'Give an assistant turn the weight 1.',
  assistant_first: 'Begin the conversation with a message of the user.',
  equal_answers: 'Leave the pair out, or correct the answer that is worse.',
};

/** Why a trajectory or line takes no part in training. `validation`: it is held out. */
export type DropReason = 'zero_advantage' | 'no_choice' | 'no_logprobs' | LineDropReason | 'validation';

/** `groups*` are 0 for fine-tuning, where a trajectory is a line. */
export interface PlanCounts {
  readonly groupsSubmitted: number;
  /** Groups with a trained trajectory. */
  readonly groupsTrainable: number;
  readonly trajectories: number;
  readonly trajectoriesTrained: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** Tokens of all rows, context included. */
  readonly inputTokens: number;
  /** Trained tokens of all rows. */
  readonly trainableTokens: number;
  /** Rewards of all trajectories that were sent. Null: no trajectory was sent, or fine-tuning. */
  readonly rewards: RewardStats | null;
}

/** The outcome of planning for one trajectory. */
export interface TrajectoryReport {
  /** Positions in the input. */
  readonly group: number;
  readonly index: number;
  /** Trained tokens in the plan; 0 when dropped. */
  readonly trainedTokens: number;
  /** Within its group: before balance, and before the mean over the job is brought to 1. */
  readonly advantage: number;
  /** Null: trained. */
  readonly reason: DropReason | null;
}

/** A line of the training data that is left out. */
export interface DroppedLine {
  /** From 1, blank lines included. */
  readonly number: number;
  readonly reason: LineDropReason;
}

export interface Plan {
  readonly rows: readonly PlanRow[];
  /** Sequences of which the validation loss is computed; empty: no validation. */
  readonly validation: readonly PlannedSequence[];
  /** SHA-256, hex, of the plan as it is written down: equal plans have equal digests. */
  readonly digest: string;
  readonly counts: PlanCounts;
  /** In the order of the input; empty for fine-tuning. */
  readonly trajectories: readonly TrajectoryReport[];
  /** In the order of the file; empty for reinforcement learning. */
  readonly droppedLines: readonly DroppedLine[];
}

export const trainedTokensOf = ({ mask }: Pick<PlannedSequence, 'mask'>): number =>
  mask.reduce<number>((sum, trained) => sum + trained, 0);
