import type { DiagnosisDto, DiagnosisIssueDto } from '@hone/contracts';
import { EngineError, type LineWarning, type Plan, PlanError, type SettingWarning } from '@hone/engine';

/** What is known before the pace of earlier jobs is. */
export interface Diagnosis extends Omit<DiagnosisDto, 'estimated_seconds'> {
  /** Tokens of all rows, context included. */
  inputTokens: number;
}

/** Of one diagnosis. */
export const MAX_ISSUES = 100;

type JobOrLineWarning = Omit<SettingWarning | LineWarning, 'hint'> & { readonly hint: string | null };

/** A warning of the job as an issue of its diagnosis. */
export const toIssue = ({ code, message, hint, loc }: JobOrLineWarning) => ({
  loc: [...loc],
  code,
  severity: 'warning' as const,
  message,
  hint,
});

/** The report of a job that would be planned so. */
export function reportPlan({ rows, counts, trajectories }: Plan, warnings: readonly DiagnosisIssueDto[]): Diagnosis {
  return {
    ok: true,
    groups_submitted: counts.groupsSubmitted,
    groups_trainable: counts.groupsTrainable,
    num_sequences: rows.length,
    trainable_tokens: counts.trainableTokens,
    inputTokens: counts.inputTokens,
    issues: warnings.slice(0, MAX_ISSUES),
    trajectories: trajectories.map(({ group, index, trainedTokens, advantage, reason }) => ({
      group,
      index,
      trained_tokens: trainedTokens,
      advantage,
      reason,
    })),
  };
}

/** The report of a job that would fail. @throws what is no error of the job's input */
export function reportFailure(error: unknown, groups: number, warnings: readonly DiagnosisIssueDto[] = []): Diagnosis {
  if (!(error instanceof EngineError)) throw error;
  const { code, message } = error;
  const { locs, hint } = error instanceof PlanError ? error : { locs: [], hint: null };
  const locsOrWhole = locs.length > 0 ? locs : [[]];
  const errors = locsOrWhole.map((loc) => ({ loc: [...loc], code, severity: 'error' as const, message, hint }));
  return {
    ok: false,
    groups_submitted: groups,
    groups_trainable: 0,
    num_sequences: 0,
    trainable_tokens: 0,
    inputTokens: 0,
    issues: [...errors, ...warnings].slice(0, MAX_ISSUES),
    trajectories: [],
  };
}
