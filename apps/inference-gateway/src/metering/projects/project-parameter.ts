import { issue, parseProjectId, patternIssue, type Issue } from '@hone/contracts';

/** What is wrong with the query's `project`, which should be `<entity>/<project>`. */
export function projectIssues(project: unknown): Issue[] {
  const loc = ['query', 'project'];
  if (typeof project !== 'string') return [issue('string_type', loc)];
  return parseProjectId(project) ? [] : [patternIssue('<entity>/<project>', loc)];
}
