import { issue, rangeIssue, valueIssue, type Issue, isUuid } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** Which entries are asked for. */
export interface AuditPage {
  limit: number;
  /** Id of the last entry seen; undefined: from the newest. */
  after: string | undefined;
}

/** @throws ValidationError `limit` is no integer from 1 to 1,000, or `after` no id */
export function readAuditPage(query: Record<string, unknown>): AuditPage {
  const issues = [...limitIssues(query['limit']), ...afterIssues(query['after'])];
  if (issues.length) throw new ValidationError(issues);
  return {
    limit: query['limit'] === undefined ? DEFAULT_LIMIT : Number(query['limit']),
    after: query['after'] as string | undefined,
  };
}

function limitIssues(limit: unknown): Issue[] {
  const loc = ['query', 'limit'];
  if (limit === undefined) return [];
  if (typeof limit !== 'string' || !/^-?\d{1,15}$/.test(limit)) return [issue('int_type', loc)];
  if (Number(limit) < 1) return [rangeIssue('greater', 1, loc)];
  return Number(limit) > MAX_LIMIT ? [rangeIssue('less', MAX_LIMIT, loc)] : [];
}

function afterIssues(after: unknown): Issue[] {
  if (after === undefined || (typeof after === 'string' && isUuid(after))) return [];
  return [valueIssue('Input should be the id of an audit entry', ['query', 'after'])];
}
