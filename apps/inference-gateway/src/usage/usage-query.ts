import {
  type Issue,
  parseDateTime,
  type UsageGroup,
  type UsageQueryDto,
  valueIssue,
  withinDateTimes,
} from '@hone/contracts';
import { ValidationError } from '@hone/platform';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 30;
const MAX_DAYS = { hour: 92, day: 3_660, model: 3_660, key: 3_660, user: 3_660 };

export interface UsageQuery {
  /** `<entity>/<project>`. */
  projectId: string;
  /** Full hours, because usage is summed per hour. `to` is exclusive. */
  from: Date;
  to: Date;
  by: UsageGroup;
}

/**
 * @param ownProjectId used when `project` is absent
 * @throws ValidationError the range is empty or too long
 */
export function readUsageQuery(query: UsageQueryDto, ownProjectId: string, now = new Date()): UsageQuery {
  const { project: projectId = ownProjectId, by = 'day' } = query;
  const to = readTime(query.to) ?? now;
  const from = readTime(query.from) ?? withinDateTimes(new Date(to.getTime() - DEFAULT_DAYS * DAY_MS));
  const issues = rangeIssues(from, to, by);
  if (issues.length) throw new ValidationError(issues);
  return {
    projectId,
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: withinDateTimes(new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS)),
    by,
  };
}

const readTime = (text: string | undefined): Date | undefined => (text === undefined ? undefined : parseDateTime(text));

function rangeIssues(from: Date, to: Date, by: UsageGroup): Issue[] {
  if (from >= to) return [valueIssue('Input should be later than from', ['query', 'to'])];
  if (to.getTime() - from.getTime() <= MAX_DAYS[by] * DAY_MS) return [];
  return [valueIssue(`Input should be at most ${MAX_DAYS[by]} days before to`, ['query', 'from'])];
}
