import type { Refusal, RefusalIssue } from '../../target.js';

export const unsupported = (loc: RefusalIssue['loc'], msg: string): RefusalIssue => ({
  loc,
  msg,
  type: 'unsupported_parameter',
});

export const wrongValue = (loc: RefusalIssue['loc'], msg: string): RefusalIssue => ({ loc, msg, type: 'value_error' });

/** The model can never honour the request. Thrown while the request is prepared. */
export class RefusedRequest extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.status === 400 ? refusal.message : refusal.issues.map(({ msg }) => msg).join(' '));
  }

  static issues(...issues: RefusalIssue[]): RefusedRequest {
    return new RefusedRequest({ status: 422, issues });
  }

  /** @param param the field that is too long; absent: `messages` */
  static contextLength(message: string, param?: string): RefusedRequest {
    return new RefusedRequest({ status: 400, code: 'context_length_exceeded', message, ...(param && { param }) });
  }
}
