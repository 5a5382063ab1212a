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
/** Of two groups, which may have very many pairs. */
export const MAX_ROWS = 20_000;

export interface UsageQuery {
  /** `<entity>/<project>`. */
  projectId: string;
  /** Full hours, because usage is summed per hour. `to` is exclusive. */
  from: Date;
  to: Date;
  by: UsageGroup;
  /** Null: rows have one group. */
  thenBy: UsageGroup | null;
}

/**
 * @param ownProjectId used when `project` is absent
 * @throws ValidationError the range is empty or too long, or both groups are the same
 */
export function readUsageQuery(query: UsageQueryDto, ownProjectId: string, now = new Date()): UsageQuery {
  const { project: projectId = ownProjectId, by = 'day', then_by: thenBy = null } = query;
  const to = readTime(query.to) ?? now;
  const from = readTime(query.from) ?? withinDateTimes(new Date(to.getTime() - DEFAULT_DAYS * DAY_MS));
  const days = Math.min(MAX_DAYS[by], MAX_DAYS[thenBy ?? by]);
  const issues = [...rangeIssues(from, to, days), ...groupIssues(by, thenBy)];
  if (issues.length) throw new ValidationError(issues);
  return {
    projectId,
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: withinDateTimes(new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS)),
    by,
    thenBy,
  };
}

const readTime = (text: string | undefined): Date | undefined => (text === undefined ? undefined : parseDateTime(text));

/** @throws ValidationError two groups have more pairs than one answer takes */
export function assertRowCount(count: number): void {
  if (count <= MAX_ROWS) return;
  const sentence = `Input should be a shorter time: the groups have more than ${MAX_ROWS} rows`;
  throw new ValidationError([valueIssue(sentence, ['query', 'from'])]);
}

const groupIssues = (by: UsageGroup, thenBy: UsageGroup | null): Issue[] =>
  by === thenBy ? [valueIssue('Input should be another group than by', ['query', 'then_by'])] : [];

function rangeIssues(from: Date, to: Date, maxDays: number): Issue[] {
  if (from >= to) return [valueIssue('Input should be later than from', ['query', 'to'])];
  if (to.getTime() - from.getTime() <= maxDays * DAY_MS) return [];
  return [valueIssue(`Input should be at most ${maxDays} days before to`, ['query', 'from'])];
}
