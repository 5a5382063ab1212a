import { type Loc, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

/**
 * Checks that bodies which name a project name that of the path.
 *
 * @param locOf of the body at an index
 * @throws ValidationError
 */
export function assertProjectOfPath(
  projectId: string,
  bodies: { project_id?: string | null }[],
  locOf: (index: number) => Loc,
): void {
  const issues = bodies.flatMap(({ project_id }, index) =>
    (project_id ?? projectId) === projectId
      ? []
      : [valueIssue(`Input should be '${projectId}', as in the path`, [...locOf(index), 'project_id'])],
  );
  if (issues.length) throw new ValidationError(issues);
}
