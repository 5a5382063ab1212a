import type { SettingWarning } from './learning-rates.js';
import { type DroppedLine, DROPPED_LINE_HINTS, type LineDropReason, type Plan } from './plan.js';

/** What the author of a job should know of its trajectories as a whole. */
export function warnOfTrajectories({ counts }: Pick<Plan, 'counts'>): SettingWarning[] {
  if (counts.trajectories > 0) return [];
  return [
    {
      code: 'data.no_trajectories',
      message: 'There is no trajectory: the job would make a checkpoint with the weights that it starts from.',
      hint: 'Send groups of at least two trajectories with different rewards.',
      loc: ['trajectory_groups'],
    },
  ];
}

/** Something about a line of the training data. */
export interface LineWarning extends Omit<SettingWarning, 'loc'> {
  /** `line` and its number. */
  readonly loc: readonly (string | number)[];
}

/** Lines that are not trained, and why. @param contextLength tokens of the longest conversation that is */
export function warnOfDroppedLines(lines: readonly DroppedLine[], contextLength: number): LineWarning[] {
  const messages: Record<LineDropReason, string> = {
    too_long: `The line is left out: it has more than ${contextLength} tokens, the context of the model.`,
    no_tokens: 'The line is left out: it has no assistant turn to train.',
    assistant_first: 'The line is left out: it begins with the assistant, which the chat template refuses.',
  };
  return lines.map(({ number, reason }) => ({
    code: reason,
    message: messages[reason],
    hint: DROPPED_LINE_HINTS[reason],
    loc: ['line', number],
  }));
}
