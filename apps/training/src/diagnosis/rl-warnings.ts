import type { DiagnosisIssueDto } from '@hone/contracts';
import {
  type ChoiceInput,
  type DropReason,
  isChoice,
  type Plan,
  type PlanningTokenizer,
  type TrajectoryGroupInput,
  type TrajectoryInput,
  type TrajectoryReport,
} from '@hone/engine';

/** Choices whose prompts are rendered to be compared: rendering all of a large job would take its time twice. */
const MAX_RENDERED = 256;
const MAX_WARNINGS = 100;

type Loc = (string | number)[];

const REASONS: Partial<Record<DropReason, { message: string; hint: string }>> = {
  no_choice: { message: 'The trajectory has no Choice, only messages.', hint: 'Send answers as the server gave them.' },
  no_logprobs: { message: 'No Choice carries logprobs.', hint: 'Ask the chat completion for logprobs.' },
  no_tokens: { message: 'There is no token to train.', hint: 'Send Choices with at least one token.' },
  too_long: { message: 'It is longer than a row.', hint: 'Raise packed_sequence_length, or shorten the conversation.' },
};

const warning = (loc: Loc, code: string, message: string, hint: string | null = null): DiagnosisIssueDto => ({
  loc,
  code,
  severity: 'warning',
  message,
  hint,
});

/** Trajectories of a plan that are not trained, and why; a group of equal rewards is one warning. */
export function warnOfDropped({ trajectories }: Plan): DiagnosisIssueDto[] {
  const issues: DiagnosisIssueDto[] = [];
  for (const [group, members] of byGroup(trajectories)) {
    if (members.every(({ reason }) => reason === 'zero_advantage')) {
      const message = 'All rewards of the group are equal: nothing tells its trajectories apart.';
      issues.push(warning(['trajectory_groups', group], 'zero_advantage', message));
      continue;
    }
    for (const { index, reason } of members) {
      const known = reason && REASONS[reason];
      if (!known) continue;
      issues.push(warning(['trajectory_groups', group, 'trajectories', index], reason, known.message, known.hint));
    }
  }
  return issues.slice(0, MAX_WARNINGS);
}

function byGroup(trajectories: Plan['trajectories']): Map<number, TrajectoryReport[]> {
  const groups = new Map<number, TrajectoryReport[]>();
  for (const one of trajectories) {
    const members = groups.get(one.group);
    if (members) members.push(one);
    else groups.set(one.group, [one]);
  }
  return groups;
}

/** Trajectories that an older checkpoint than the one that would be trained has sampled. */
export function warnOfStale(groups: readonly TrajectoryGroupInput[], latestStep: number): DiagnosisIssueDto[] {
  const hint = 'Sample from the latest checkpoint, or expect the importance ratios to correct for it.';
  return trajectoriesOf(groups)
    .filter(({ trajectory }) => (trajectory.initial_policy_version ?? latestStep) < latestStep)
    .slice(0, MAX_WARNINGS)
    .map(({ trajectory, loc }) => {
      const message = `Sampled at step ${trajectory.initial_policy_version}; the job would train step ${latestStep}.`;
      return warning([...loc, 'initial_policy_version'], 'stale_policy', message, hint);
    });
}

/** Choices whose prompt ids are not what the chat template makes of the messages before them. */
export function warnOfDrift(
  groups: readonly TrajectoryGroupInput[],
  tokenizer: PlanningTokenizer,
): DiagnosisIssueDto[] {
  const issues: DiagnosisIssueDto[] = [];
  let rendered = 0;
  for (const { trajectory, loc } of trajectoriesOf(groups)) {
    for (const [at, item] of (trajectory.messages_and_choices ?? []).entries()) {
      if (!isChoice(item) || !Array.isArray(item.prompt_token_ids)) continue;
      if (rendered++ >= MAX_RENDERED) return issues;
      if (!hasDrifted(item, trajectory, at, tokenizer)) continue;
      const message = "The prompt's token ids are not what the chat template makes of the messages before it.";
      const hint = 'The ids are trained as they are; check that the messages are the ones that were sent.';
      issues.push(warning([...loc, 'messages_and_choices', at, 'prompt_token_ids'], 'template_drift', message, hint));
    }
  }
  return issues;
}

function hasDrifted(
  choice: ChoiceInput,
  trajectory: TrajectoryInput,
  at: number,
  tokenizer: PlanningTokenizer,
): boolean {
  const before = (trajectory.messages_and_choices ?? []).slice(0, at);
  const messages = before.map((item) => (isChoice(item) ? item.message : item));
  try {
    const ids = tokenizer.encodeChat(messages, { tools: trajectory.tools ?? undefined, addGenerationPrompt: true });
    const sent = choice.prompt_token_ids as readonly unknown[];
    return ids.length !== sent.length || ids.some((id, position) => id !== sent[position]);
  } catch {
    return true; // the template does not even take them
  }
}

const trajectoriesOf = (groups: readonly TrajectoryGroupInput[]) =>
  groups.flatMap(({ trajectories = [] }, group) =>
    trajectories.map((trajectory, index) => ({
      trajectory,
      loc: ['trajectory_groups', group, 'trajectories', index] as Loc,
    })),
  );
