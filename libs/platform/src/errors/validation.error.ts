import { MAX_ISSUES, type Issue } from '@hone/contracts';

/** The request is not of the right form: answered 422 with `{"detail": [{loc, msg, type}]}`, at most 100 of them. */
export class ValidationError extends Error {
  readonly issues: Issue[];

  constructor(issues: Issue[]) {
    super('The request is not valid.');
    this.issues = issues.slice(0, MAX_ISSUES);
  }
}
