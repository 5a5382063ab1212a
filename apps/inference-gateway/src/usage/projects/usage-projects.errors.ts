/**
 * The project that a request names cannot be used: unknown, malformed, or the caller is no writer there. One sentence
 * for all. The fields are those of the answer.
 */
export class ProjectForbiddenError extends Error {
  readonly status = 403;
  readonly type = 'permission_error';
  readonly code = 'project_forbidden';
  readonly headers = { 'x-should-retry': 'false' };

  constructor() {
    super('This key may not use this project; name one as <team>/<project> that it may write to.');
  }
}
