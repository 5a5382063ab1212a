import { type Issue, MAX_ISSUES } from '@hone/contracts';

const MAX_LOC_PART = 200;

/** The request is not of the right form: answered 422 with `{"detail": [{loc, msg, type}]}`, at most 100 of them. */
export class ValidationError extends Error {
  readonly issues: Issue[];

  constructor(issues: Issue[]) {
    super('The request is not valid.');
    this.issues = issues.slice(0, MAX_ISSUES).map((issue) => ({ ...issue, loc: issue.loc.map(bounded) }));
  }
}

/** Keys in a `loc` are the client's own and may have any length; the answer is not to repeat a whole body. */
const bounded = (part: string | number): string | number =>
  typeof part === 'string' && part.length > MAX_LOC_PART ? `${part.slice(0, MAX_LOC_PART).toWellFormed()}…` : part;
