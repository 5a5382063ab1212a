import type { DiagnosisIssueDto } from '@hone/client';

/** One thing that a dry run found, with every place that it was found at. */
export interface GatheredIssue extends Omit<DiagnosisIssueDto, 'loc'> {
  /** For example `group 2`, `group 1, rollout 3`, `line 7`, counted from 1. */
  readonly places: readonly string[];
}

/** Each sentence once, in the order in which they came first. */
export function gatherIssues(issues: readonly DiagnosisIssueDto[]): readonly GatheredIssue[] {
  const gathered = new Map<string, GatheredIssue & { readonly places: string[] }>();
  for (const { loc, ...issue } of issues) {
    const key = JSON.stringify([issue.code, issue.severity, issue.message, issue.hint]);
    const same = gathered.get(key) ?? { ...issue, places: [] };
    const place = placeOf(loc);
    if (place !== '') same.places.push(place);
    gathered.set(key, same);
  }
  return [...gathered.values()];
}

/** Lines are counted from 1 by the server, groups and trajectories from 0. */
function placeOf(loc: DiagnosisIssueDto['loc']): string {
  const after = (name: string) => {
    const value = loc[loc.indexOf(name) + 1];
    return loc.includes(name) && typeof value === 'number' ? value : null;
  };
  const [line, group, rollout] = [after('line'), after('trajectory_groups'), after('trajectories')];
  if (line !== null) return `line ${line}`;
  if (group === null) return '';
  return rollout === null ? `group ${group + 1}` : `group ${group + 1}, rollout ${rollout + 1}`;
}
