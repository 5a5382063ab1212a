import { type Loc, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

/**
 * Checks that bodies which name a project name that of the path.
 *
 * @param named projects that bodies name; null: none
 * @param locOf of the body at an index
 * @throws ValidationError
 */
export function assertProjectOfPath(
  projectId: string,
  named: readonly (string | null | undefined)[],
  locOf: (index: number) => Loc,
): void {
  const issues = named.flatMap((name, index) =>
    (name ?? projectId) === projectId
      ? []
      : [valueIssue(`Input should be '${projectId}', as in the path`, [...locOf(index), 'project_id'])],
  );
  if (issues.length) throw new ValidationError(issues);
}
