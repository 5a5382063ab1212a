import { type Issue, lengthIssue, type Loc, type TrajectoryGroupDto, TrajectoryLogDto } from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';

import { LARGE_BODY_LIMITS } from '../http/large-bodies/large-body-limits.js';
import type { LogContent } from './log-content.js';
import { sumMetrics } from './metric-sums.js';
import { toRowLists } from './trajectory-rows.js';

/** Metric names are part of a key of the database. */
const MAX_NAME_CHARACTERS = 256;
/** Different metric names in one call: each is shown with the checkpoint. */
const MAX_NAMES = 1_024;

/** How the body of a `log` call is read. */
export const TASK = bodyTask({
  type: TrajectoryLogDto,
  module: import.meta.url,
  limits: LARGE_BODY_LIMITS,
  digest({ split, trajectory_groups: groups }: TrajectoryLogDto, issues: Issue[]): LogContent {
    issues.push(...nameIssues(groups));
    return {
      split,
      groups: groups.length,
      trajectories: groups.reduce((sum, { trajectories = [] }) => sum + trajectories.length, 0),
      rowLists: toRowLists(groups),
      sums: sumMetrics(groups),
    };
  },
});

function nameIssues(groups: readonly TrajectoryGroupDto[]): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  const look = (metrics: object | undefined, loc: Loc) => {
    for (const name of Object.keys(metrics ?? {})) {
      if (seen.has(name)) continue;
      seen.add(name);
      if (name.length > MAX_NAME_CHARACTERS) {
        issues.push(lengthIssue('long', MAX_NAME_CHARACTERS, ['body', 'trajectory_groups', ...loc, 'metrics', name]));
      }
    }
  };
  for (const [g, { trajectories = [], metrics }] of groups.entries()) {
    look(metrics, [g]);
    for (const [i, trajectory] of trajectories.entries()) look(trajectory.metrics, [g, 'trajectories', i]);
  }
  return seen.size > MAX_NAMES ? [tooManyNames(), ...issues] : issues;
}

const tooManyNames = (): Issue => ({
  loc: ['body', 'trajectory_groups'],
  msg: `At most ${MAX_NAMES} different metrics in one call`,
  type: 'too_many',
});
