import type { Issue } from '@hone/contracts';

/** What of a request this model cannot do; `loc` begins with the field's name. */
export interface RequestIssue {
  readonly loc: (string | number)[];
  readonly msg: string;
  readonly type: Issue['type'] | 'unsupported_parameter';
}

/** Why a request is refused before it is dispatched. */
export type Refusal =
  | { readonly status: 422; readonly issues: readonly RequestIssue[] }
  | { readonly status: 400; readonly code: 'context_length_exceeded'; readonly message: string };

export const unsupported = (loc: RequestIssue['loc'], msg: string): RequestIssue => ({
  loc,
  msg,
  type: 'unsupported_parameter',
});

export const wrongValue = (loc: RequestIssue['loc'], msg: string): RequestIssue => ({ loc, msg, type: 'value_error' });

/** Thrown while a request is prepared. */
export class RefusedRequest extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.status === 400 ? refusal.message : refusal.issues.map(({ msg }) => msg).join(' '));
  }

  static issues(...issues: RequestIssue[]): RefusedRequest {
    return new RefusedRequest({ status: 422, issues });
  }

  static contextLength(message: string): RefusedRequest {
    return new RefusedRequest({ status: 400, code: 'context_length_exceeded', message });
  }
}
