import { enumIssue, parseDateTime, valueIssue, type Issue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import { projectIssues } from '../projects/project-parameter.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 30;
const MAX_DAYS = { hour: 92, day: 3_660, model: 3_660, key: 3_660 };

/** What the sums of an answer are of. */
export const USAGE_GROUPS = ['hour', 'day', 'model', 'key'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageQuery {
  /** `<entity>/<project>`. */
  projectId: string;
  /** Full hours: usage is summed by the hour. `to` is excluded. */
  from: Date;
  to: Date;
  by: UsageGroup;
}

/**
 * @param ownProjectId stands in for an absent `project`
 * @throws ValidationError a wrong parameter, or a range that is empty or too long
 */
export function readUsageQuery(query: Record<string, unknown>, ownProjectId: string, now = new Date()): UsageQuery {
  const { project = ownProjectId, by = 'day' } = query;
  const to = readTime(query['to']) ?? now;
  const from = readTime(query['from']) ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
  const issues = [...projectIssues(project), ...timeIssues('from', query), ...timeIssues('to', query), ...byIssues(by)];
  if (!issues.length) issues.push(...rangeIssues(from, to, by as UsageGroup));
  if (issues.length) throw new ValidationError(issues);
  return {
    projectId: project as string,
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS),
    by: by as UsageGroup,
  };
}

const readTime = (value: unknown): Date | undefined => (typeof value === 'string' ? parseDateTime(value) : undefined);

function timeIssues(name: 'from' | 'to', query: Record<string, unknown>): Issue[] {
  if (query[name] === undefined || readTime(query[name])) return [];
  return [valueIssue('Input should be an ISO 8601 date-time', ['query', name])];
}

const byIssues = (by: unknown): Issue[] =>
  USAGE_GROUPS.includes(by as UsageGroup) ? [] : [enumIssue(USAGE_GROUPS, ['query', 'by'])];

function rangeIssues(from: Date, to: Date, by: UsageGroup): Issue[] {
  if (from >= to) return [valueIssue('Input should be later than from', ['query', 'to'])];
  if (to.getTime() - from.getTime() <= MAX_DAYS[by] * DAY_MS) return [];
  return [valueIssue(`Input should be at most ${MAX_DAYS[by]} days before to`, ['query', 'from'])];
}
