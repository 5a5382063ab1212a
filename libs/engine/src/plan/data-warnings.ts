import type { TrainingJobKind } from '@hone/contracts';

import type { SettingWarning } from './learning-rates.js';
import { DROPPED_LINE_HINTS, type DroppedLine, type LineDropReason, type Plan } from './plan.js';

const FIELD = ['trajectory_groups'];

/**
 * Warns if the rewards of a job cannot tell its trajectories apart.
 *
 * @param groups rewards of the trajectories of each
 */
export function warnOfRewards(groups: readonly (readonly number[])[]): SettingWarning[] {
  const effect = 'the job makes a checkpoint with the weights that it starts from';
  if (groups.every((rewards) => rewards.length === 0)) {
    const hint = 'Send groups of at least two trajectories with different rewards.';
    return [{ code: 'data.no_trajectories', message: `There is no trajectory: ${effect}.`, hint, loc: FIELD }];
  }
  if (groups.some((rewards) => rewards.some((reward) => reward !== rewards[0]))) return [];
  return [
    {
      code: 'data.equal_rewards',
      message: `The rewards of each group are equal: no gradient step is taken, ${effect}.`,
      hint: 'Sample at a higher temperature, grade finer, or send prompts that the model solves sometimes.',
      loc: FIELD,
    },
  ];
}

/** Mean staleness, in steps, from which trajectories count as old. */
const MAX_STALENESS = 4;

/** Warns of trajectories that were sampled by checkpoints of long before. */
export function warnOfStaleness({ rows }: Pick<Plan, 'rows'>): SettingWarning[] {
  const known = rows.flatMap(({ staleness }) => staleness ?? []);
  const mean = known.reduce((sum, staleness) => sum + staleness, 0) / known.length;
  if (!(mean > MAX_STALENESS)) return [];
  return [
    {
      code: 'data.stale_policy',
      message: `The trajectories were sampled ${mean.toFixed(1)} steps before the checkpoint that is trained, on average.`,
      hint: 'Sample from the latest checkpoint, or leave old trajectories out.',
      loc: FIELD,
    },
  ];
}

/** Something about a line of the training data. */
export interface LineWarning extends Omit<SettingWarning, 'loc'> {
  /** `line` and its number. */
  readonly loc: readonly (string | number)[];
}

/** Warns of lines that are not trained, and says why. @param contextLength the most tokens that a line may have */
export function warnOfDroppedLines(lines: readonly DroppedLine[], contextLength: number): LineWarning[] {
  const messages: Record<LineDropReason, string> = {
    too_long: `The line is left out: it has more than ${contextLength} tokens, the context of the model.`,
    no_tokens: 'The line is left out: it has no assistant turn to train.',
    assistant_first: 'The line is left out: it begins with the assistant, which the chat template refuses.',
    equal_answers: 'The line is left out: its two answers have the same tokens.',
  };
  return lines.map(({ number, reason }) => ({
    code: reason,
    message: messages[reason],
    hint: DROPPED_LINE_HINTS[reason],
    loc: ['line', number],
  }));
}

/** Fewer lines are too small a sample to warn about. */
const MIN_LINES = 16;

/** Warns of answers that repeat each other: the model learns to give them to every question. */
function warnOfNarrowLines({ rows }: Pick<Plan, 'rows'>): SettingWarning[] {
  const sequences = rows.filter(({ repeats }) => repeats === undefined).flatMap((row) => row.sequences);
  const answers = sequences.map(({ ids, mask }) => ids.filter((_, at) => mask[at]).join());
  const distinct = new Set(answers).size;
  if (answers.length < MIN_LINES || distinct * 2 > answers.length) return [];
  return [
    {
      code: 'data.narrow',
      message: `${answers.length} lines have ${distinct} different answers: the model comes to give them to other questions, too.`,
      hint: 'Mix in general conversations, take fewer epochs, or lower learning_rate; compare the base and the checkpoint on other questions.',
      loc: ['training_data_url'],
    },
  ];
}

/** Warns of what is unusual about the lines of a job. */
export function warnOfLines(kind: Exclude<TrainingJobKind, 'rl'>, plan: Pick<Plan, 'rows'>): SettingWarning[] {
  return kind === 'sft' ? warnOfNarrowLines(plan) : warnOfOneSide(plan);
}

/** Warns of single answers that are all liked, or all disliked. */
function warnOfOneSide({ rows }: Pick<Plan, 'rows'>): SettingWarning[] {
  const roles = new Set(rows.flatMap(({ sequences }) => sequences.map(({ role }) => role)));
  if (roles.has('chosen') || roles.has('desirable') === roles.has('undesirable')) return [];
  const word = roles.has('desirable') ? 'liked' : 'disliked';
  return [
    {
      code: 'data.one_sided',
      message: `All answers are ${word}: there is nothing to tell them apart by.`,
      hint:
        word === 'liked'
          ? 'Fine-tune on liked answers instead, or add disliked ones.'
          : 'Add liked answers: a model that only unlearns answers falls apart.',
      loc: ['training_data_url'],
    },
  ];
}
