import { issue, isUuid, valueIssue, type Issue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import { projectIssues } from '../projects/project-parameter.js';

/** Whose limits are asked for, as the query names it. */
export type NamedSubject =
  /** `<entity>/<project>`. */
  | { readonly project: string; readonly key: null }
  /** Row id. */
  | { readonly project: null; readonly key: string };

/**
 * @param ownProjectId stands in when nothing is named
 * @throws ValidationError
 */
export function readSubject(query: Record<string, unknown>, ownProjectId: string): NamedSubject {
  const { project, key } = query;
  const issues = [...(project === undefined ? [] : projectIssues(project)), ...keyIssues(key)];
  if (project !== undefined && key !== undefined) {
    issues.push(valueIssue('Input should be a project or a key, not both', ['query', 'key']));
  }
  if (issues.length > 0) throw new ValidationError(issues);
  if (key !== undefined) return { project: null, key: (key as string).toLowerCase() };
  return { project: (project as string | undefined) ?? ownProjectId, key: null };
}

function keyIssues(key: unknown): Issue[] {
  const loc = ['query', 'key'];
  if (key === undefined) return [];
  if (typeof key !== 'string') return [issue('string_type', loc)];
  return isUuid(key) ? [] : [issue('uuid_parsing', loc)];
}
